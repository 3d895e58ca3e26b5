/** What a record of a file may measure, in characters as JavaScript counts them. A contact at its own limits takes less
 *  than half of it. */
export const limits = { columns: 200, record: 65_536, cell: 32_768 } as const;

/** What the cells of the rows in one step measure, as JSON: a step stops after the row that reaches it. */
export const STEP_BYTES = 1_048_576;

/** What a whole file may measure, in bytes: some ten million contacts. */
export const MAX_FILE_BYTES = 1_073_741_824;

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** How much of a file is enough to look at its columns. */
export const MAX_SAMPLE_BYTES = 1_048_576;
