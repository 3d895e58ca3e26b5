import fc from 'fast-check';

/** Any character, as the unit of a text. fast-check's own unit `binary` first makes a table of all of them: a second of CPU
 *  time in each process. */
export const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
