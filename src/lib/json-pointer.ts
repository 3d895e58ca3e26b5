/** A JSON Pointer (RFC 6901) to a member of what `path` points to. */
export const pointerTo = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
