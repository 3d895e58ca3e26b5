import { chooseLanguage } from '../lib/i18n.ts';

/** Shows the dashboard in another language. */
export const switchLanguage = (language: string): void => {
  chooseLanguage(language);
  location.reload();
};
