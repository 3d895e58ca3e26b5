export type Encoding = 'zstd' | 'br' | 'gzip';

/** Smaller bodies fit into a few packets. In bytes. */
export const COMPRESS_ABOVE = 8_192;

const ALIASES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/** A weight from 0 to 1. An invalid one excludes the coding. */
const weightOf = (parameters: readonly string[]): number => {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'q') continue;
    const weight = value.trim() === '' ? Number.NaN : Number(value);
    return weight >= 0 && weight <= 1 ? weight : 0;
  }
  return 1;
};

const readWeights = (header: string): Map<string, number> => {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const coding = name.trim();
    if (coding !== '') weights.set(ALIASES[coding] ?? coding, weightOf(parameters));
  }
  return weights;
};

/** The encoding of `available` that an Accept-Encoding header prefers (RFC 9110, 12.5.3); undefined for none. At equal
 *  weights the first of `available` is chosen, but the last for a mere `*`, which says nothing about what the client
 *  decodes. */
export const preferredEncoding = <E extends Encoding>(
  header: string | string[] | undefined,
  available: readonly E[],
): E | undefined => {
  if (header === undefined || header.length === 0) return undefined;
  const weights = readWeights(String(header));
  const others = weights.get('*') ?? 0;
  const listed = available.filter((each) => weights.has(each));
  const unlisted = available.filter((each) => !weights.has(each)).reverse();
  let preferred: E | undefined;
  let highest = 0;
  for (const each of [...listed, ...unlisted]) {
    const weight = weights.get(each) ?? others;
    if (weight > highest) [preferred, highest] = [each, weight];
  }
  return highest >= (weights.get('identity') ?? 0) ? preferred : undefined;
};

/** Whether the header forbids an answer without an encoding. */
export const forbidsIdentity = (header: string): boolean => {
  if (!header.includes('0')) return false;
  const weights = readWeights(header);
  return (weights.get('identity') ?? weights.get('*') ?? 1) === 0;
};
