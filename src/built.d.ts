export const isFresh: (name: string) => boolean;
export const scriptOf: (name: string, source: string) => string;
