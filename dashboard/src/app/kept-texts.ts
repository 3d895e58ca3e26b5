const PREFIX = 'roster-draft ';
let isSigningOut = false;

export const keptKey = (user: string, record: string): string => `${PREFIX}${user} ${record}`;

/** The texts that are typed and not saved, by key, of every user of this browser. None if its storage is disabled. */
export const keptTexts = (): [key: string, text: string][] => {
  try {
    return Object.entries<string>({ ...localStorage }).filter(([key]) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
};

export const removeKept = (key: string): void => {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing is kept.
  }
};

/** Returns false if the browser refused. */
export const keepText = (key: string, text: string): boolean => {
  if (isSigningOut) return false;
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
};

/** Signing out ends the sessions of all workspaces in this browser, so it removes the texts of all of them. */
export const removeAllKept = (): void => {
  isSigningOut = true;
  for (const [key] of keptTexts()) removeKept(key);
};
