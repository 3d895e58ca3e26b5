import { createStore } from '../api/store.ts';

const KEY = 'roster-theme';
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const system = matchMedia('(prefers-color-scheme: dark)');

const storedTheme = (): Theme => {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
};

/** The selected theme; `public/theme.js` reads the same key before the first paint. */
export const theme = createStore<Theme>(storedTheme());

const apply = (): void => {
  const dark = theme.get() === 'dark' || (theme.get() === 'system' && system.matches);
  document.documentElement.classList.toggle('dark', dark);
};

export const chooseTheme = (next: Theme): void => {
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
  theme.set(next);
};

theme.subscribe(apply);
system.addEventListener('change', apply);
addEventListener('storage', ({ key }) => key === KEY && theme.set(storedTheme()));
