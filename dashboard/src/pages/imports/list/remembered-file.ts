import type { Choices, FormatChoice, Rules } from '../mapping.ts';

/** What an import was made from. */
export interface RememberedFile {
  readonly id: string;
  readonly file: File;
  readonly format: FormatChoice;
  readonly choices: Choices;
  readonly rules: Rules;
}

let last: RememberedFile | undefined;

/** Remembers the file of the last import, so that it can be read in another encoding. The service does not store files. */
export const rememberFile = (remembered: RememberedFile): void => {
  last = remembered;
};

/** The file of an import; undefined after the page was reloaded. */
export const rememberedFile = (id: string | undefined): RememberedFile | undefined =>
  last?.id === id ? last : undefined;
