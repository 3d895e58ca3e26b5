import { hash } from 'node:crypto';
import { type Row, rowText } from './tables.ts';

/** The number of rows and the sum of their hashes: 128 bits in hexadecimal. It does not depend on their order, because the
 *  engines sort text differently. */
export const digestOf = async (
  batches: AsyncIterable<readonly Row[]>,
  onRows: (count: number) => void = () => {},
) => {
  let [rows, high, low] = [0, 0n, 0n];
  for await (const batch of batches) {
    for (const row of batch) {
      const bytes = hash('sha256', rowText(row), 'buffer');
      high = BigInt.asUintN(64, high + bytes.readBigUInt64BE(0));
      low = BigInt.asUintN(64, low + bytes.readBigUInt64BE(8));
    }
    rows += batch.length;
    onRows(batch.length);
  }
  return { rows, digest: ((high << 64n) | low).toString(16).padStart(32, '0') };
};
