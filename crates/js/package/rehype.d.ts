import type { Options } from "absolve";

/** The options of the plugin: those of documents, and where the document is from. */
export interface RehypeOptions<File = any> extends Omit<Options, "baseElement"> {
  /** The URL of the document, or a function that returns it for a file. */
  url?: string | URL | ((file: File) => string | URL | undefined);
}

/** Makes the links of a tree absolute: `unified().use(rehypeAbsolve, { url: "https://example.org/page" })`. Findings become messages of the file. */
export default function rehypeAbsolve(options?: RehypeOptions): (tree: any, file: any) => void;
