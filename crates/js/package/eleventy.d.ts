import type { DocumentType, Options } from "absolve";

/** The options of the plugin: those of documents, and where the site is. `feedBase` is `item` unless it is given. */
export interface EleventyOptions extends Options {
  /** The URL of the site: a page is at this URL and its own path. */
  url: string | URL;
  /** What output files are, by their extension: `{ txt: "markdown", css: undefined }` adds one and leaves one out. */
  types?: Readonly<Record<string, DocumentType | undefined>>;
}

/** Makes the links of pages, feeds and styles absolute: `eleventyConfig.addPlugin(absolve, { url: "https://example.org/" })`. */
export default function absolveLinks(eleventyConfig: object, options: EleventyOptions): void;
