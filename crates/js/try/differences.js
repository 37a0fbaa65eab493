// What two short texts have in common: an edit in a message replaces whole lines of which little changes.

/** Words above which two texts are not compared: the work grows with their product. */
const MOST_WORDS = 600;

const words = (text) => text.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/g) ?? [];

/** Returns how many words the ends of two lists have in common at most, for each pair of ends. */
const commonEnds = (one, other) => {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i][j] = one[i] === other[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
};

/** Characters that two texts have in common by chance, such as a full stop. */
const BY_CHANCE = 3;

/** Returns stretches in which short ones in common are part of the changes around them. */
const joined = (found) =>
  found.reduce((all, { common, removed, added }, index) => {
    const last = all.at(-1), isShort = common?.length <= BY_CHANCE && index > 0 && index < found.length - 1;
    if (last && !last.common && (isShort || common === undefined)) {
      last.removed += common ?? removed;
      last.added += common ?? added;
    } else all.push(common === undefined ? { removed, added } : { common });
    return all;
  }, []);

/** Returns stretches of both texts in their order: `common`, or what one has `removed` and the other `added`. */
export const differences = (removed, added) => {
  const one = words(removed), other = words(added);
  if (one.length > MOST_WORDS || other.length > MOST_WORDS) return [{ removed, added }];
  const lengths = commonEnds(one, other), found = [];
  const add = (key, text) => {
    const last = found.at(-1);
    if (last && key === "common" && "common" in last) last.common += text;
    else if (last && key !== "common" && !("common" in last)) last[key] += text;
    else found.push(key === "common" ? { common: text } : { removed: "", added: "", [key]: text });
  };
  let i = 0, j = 0;
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      add("common", one[i]);
      i++;
      j++;
    } else if (j >= other.length || (i < one.length && lengths[i + 1][j] > lengths[i][j + 1])) add("removed", one[i++]);
    else add("added", other[j++]);
  }
  return joined(found);
};
