type Build = 'service' | 'dashboard';
export const dashboardCopies: readonly (readonly [from: string, to: string])[];
export const stampOf: (name: Build) => string;
export const stampFile: (name: Build) => string;
export const isFresh: (name: Build) => boolean;
export const scriptOf: (name: string, source: string, onSource?: () => void) => string;
