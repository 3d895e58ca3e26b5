import { isUtf8 } from 'node:buffer';

/** Where the last complete UTF-8 character ends; the rest may be the start of one. */
export const completeEnd = (bytes: Buffer): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
};

/** Where the first invalid character begins, or -1. An incomplete character at the end is valid. */
export const firstBadByte = (bytes: Buffer): number => {
  const complete = bytes.subarray(0, completeEnd(bytes));
  if (isUtf8(complete)) return -1;
  // Decoding replaces invalid bytes.
  const decoded = Buffer.from(complete.toString());
  return completeEnd(
    complete.subarray(
      0,
      complete.findIndex((byte, at) => byte !== decoded[at]),
    ),
  );
};
