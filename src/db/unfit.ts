/** A database or a file is not what the command needs, said in a sentence for the person at the terminal. */
export class UnfitError extends Error {}
