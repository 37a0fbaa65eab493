//! Nested wrappings.

use super::wrapping::Wrapping;

/// The layers of encoding around a reference, outermost first.
///
/// ```
/// use absolve_links::{Quote, Wrapping, Wrappings};
/// let attribute = Wrapping::Attribute(Quote::Double);
/// let wrappings = Wrappings::of(Wrapping::CssUrl).within(attribute).ok_or("too many layers")?;
/// assert!(wrappings.iter().eq([attribute, Wrapping::CssUrl]));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wrappings([Wrapping; MOST]);

/// The text of a feed, a `srcdoc` in it, an attribute in that and the CSS in that.
const MOST: usize = 4;

impl Wrappings {
    /// Creates one layer, or none for [`Wrapping::Plain`].
    ///
    /// ```
    /// use absolve_links::{Wrapping, Wrappings};
    /// assert_eq!(Wrappings::of(Wrapping::Plain).iter().count(), 0);
    /// ```
    #[inline]
    pub const fn of(wrapping: Wrapping) -> Self {
        let mut layers = [Wrapping::Plain; MOST];
        layers[0] = wrapping;
        Self(layers)
    }

    /// Adds a layer around the others. Returns `None` if there are four layers already.
    ///
    /// ```
    /// use absolve_links::{Wrapping, Wrappings};
    /// let mut wrappings = Some(Wrappings::of(Wrapping::CssUrl));
    /// for _ in 0..4 {
    ///     wrappings = wrappings.and_then(|wrappings| wrappings.within(Wrapping::Text));
    /// }
    /// assert_eq!(wrappings, None);
    /// ```
    #[must_use]
    #[inline]
    pub fn within(self, outer: Wrapping) -> Option<Self> {
        if outer == Wrapping::Plain {
            return Some(self);
        }
        let [first, second, third, last] = self.0;
        (last == Wrapping::Plain).then_some(Self([outer, first, second, third]))
    }

    /// Returns the layers, outermost first.
    ///
    /// ```
    /// use absolve_links::{Wrapping, Wrappings};
    /// assert_eq!(Wrappings::of(Wrapping::Text).iter().collect::<Vec<_>>(), [Wrapping::Text]);
    /// ```
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Wrapping> {
        self.0.into_iter().filter(|wrapping| *wrapping != Wrapping::Plain)
    }
}
