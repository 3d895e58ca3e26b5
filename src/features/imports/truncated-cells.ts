/** Parses a JSON array of cells that may be cut off anywhere, even within an escape sequence of six characters. */
export const parseTruncatedCells = (json: string): string[] => {
  for (let cut = 0; cut < 6; cut++) {
    for (const end of ['', ']', '"]']) {
      try {
        return JSON.parse(json.slice(0, json.length - cut) + end) as string[];
      } catch {}
    }
  }
  return [];
};
