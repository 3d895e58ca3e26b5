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

/** Whether bytes are UTF-8, apart from an incomplete character at the end. */
const isBeginning = (bytes: Buffer): boolean => isUtf8(bytes.subarray(0, completeEnd(bytes)));

/** Where the first invalid character begins, or -1. An incomplete character at the end is valid. */
export const firstBadByte = (bytes: Buffer): number => {
  if (isBeginning(bytes)) return -1;
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return completeEnd(bytes.subarray(0, good));
};
