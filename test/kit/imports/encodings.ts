const tables = new Map<string, Map<string, readonly number[]>>();

/** The bytes of each character, found by decoding every sequence of one and two bytes. */
const tableOf = (encoding: string): Map<string, readonly number[]> => {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // No character has these bytes.
    }
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 128; first < 256; first++)
    for (let second = 64; second < 256; second++) add(first, second);
  return table;
};

/** Encodes a text with one or two bytes per character, which Node cannot do. */
export const encodeText = (text: string, encoding: string): Buffer => {
  const table = tables.getOrInsertComputed(encoding, tableOf);
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (!bytes) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
};
