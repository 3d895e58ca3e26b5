import type { Texts } from '../texts/texts.ts';

/* The texts of the dashboard. English is written where it is used and is the key of its translations. The language is the one
 * that was chosen in this browser, or the browser's own. It does not change while a page is open, so constants of a module may
 * contain texts. */

interface Language {
  readonly texts: Texts;
  /** Translations of messages of the service. */
  readonly messages: Readonly<Record<string, string>>;
}
const english: Language = { texts: {}, messages: {} };

const loaders: Record<string, () => Promise<Language>> = {
  en: async () => english,
  de: async () => (await import('../texts/de/index.ts')).german,
};

const languageOf = (tag: string) => tag.split('-')[0]?.toLowerCase() ?? '';

export const languages: readonly string[] = Object.keys(loaders);

const KEY = 'roster-language';

const chosenLanguage = (): string | undefined => {
  try {
    const stored = 'document' in globalThis ? localStorage.getItem(KEY) : null;
    return languages.find((each) => each === stored);
  } catch {
    return undefined;
  }
};

/** The locale of the reader, for dates and numbers: the first preferred one with the chosen language, or with texts. */
const localeOf = (chosen: string | undefined): string =>
  globalThis.navigator?.languages.find((tag) => (chosen ? [chosen] : languages).includes(languageOf(tag))) ??
  chosen ??
  'en';

export const locale: string = localeOf(chosenLanguage());

export const language = languageOf(locale);

/** Shows the dashboard in this language from the next load on, in this browser. */
export const chooseLanguage = (next: string): void => {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Without storage, the browser's own language stays.
  }
};

/** `Deutsch` for `de`. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;

const loadLanguage = async (): Promise<Language> => {
  try {
    return (await loaders[language]?.()) ?? english;
  } catch {
    return english;
  }
};
/** Empty for English, and if the translations cannot be loaded. */
const { texts, messages } = language === 'en' ? english : await loadLanguage();

const numbers = new Intl.NumberFormat(locale);
const pluralRules = new Intl.PluralRules(locale);

export const numberText = (value: number): string => numbers.format(value);

export type Values = Readonly<Record<string, string | number | null | undefined>>;

/** Replaces `{name}` by the value with that name; by nothing if it has none. */
const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? numberText(value) : (value ?? '');
  });

/** The text in the language of the reader, with placeholders such as `{name}`. */
export const translation = (text: string): string => {
  const found = texts[text];
  return typeof found === 'string' ? found : text;
};

/** `t('Delete {name}?', { name })`. */
export const t = (text: string, values?: Values): string =>
  values ? fill(translation(text), values) : translation(text);

/** `plural(2, '# contact', '# contacts')`; `#` is the count. */
export const plural = (count: number, one: string, other: string, values: Values = {}): string => {
  const forms = texts[one];
  const found = typeof forms === 'object' ? forms : { one, other };
  const form = found[pluralRules.select(count)] ?? found.other;
  return fill(form.replaceAll('#', numberText(count)), values);
};

interface MessagePattern {
  readonly names: readonly string[];
  readonly expression: RegExp;
  readonly translated: string;
}

/** A key is the message with placeholders, such as `must have at most {max} entries.` */
const patternOf = ([key, translated]: readonly [string, string]): MessagePattern => {
  const parts = key.split(/\{(\w+)\}/);
  const fixed = parts.filter((_, at) => at % 2 === 0);
  const escaped = fixed.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return {
    names: parts.filter((_, at) => at % 2 === 1),
    expression: new RegExp(`^${escaped.join('(.*?)')}$`, 's'),
    translated,
  };
};
let patterns: readonly MessagePattern[] | undefined;

/** A message of the service in the language of the reader; undefined if it has no translation. */
export const translatedMessage = (message: string): string | undefined => {
  patterns ??= Object.entries(messages).map(patternOf);
  for (const { names, expression, translated } of patterns) {
    const values = expression.exec(message)?.slice(1);
    if (values) return fill(translated, Object.fromEntries(names.map((name, at) => [name, values[at]])));
  }
  return undefined;
};
