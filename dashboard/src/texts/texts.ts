/** The forms of a plural text that a language has. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Translations by English text; of a plural text, by its singular. */
export type Texts = Readonly<Record<string, string | PluralForms>>;
