const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** PostgreSQL's hash of a 32-bit integer, which is Jenkins' final mix. */
const hashUint32 = (key: number): number => {
  const start = (0x9e3779b9 + 4 + 3_923_095) | 0;
  let [a, b, c] = [(start + key) | 0, start, start];
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
};

/** PostgreSQL's `hashint8` of a non-negative integer. Citus chooses the shard of a row by it. */
export const hashInt8 = (value: number): number =>
  hashUint32(((value % 2 ** 32) | 0) ^ (Math.floor(value / 2 ** 32) | 0));
