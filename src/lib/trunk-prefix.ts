import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Parts of libphonenumber that its types omit. A missing value is the number 0 or undefined. */
interface Plan {
  nationalNumberPattern(): string;
  nationalPrefix(): string | 0 | undefined;
  nationalPrefixForParsing(): string | 0 | undefined;
}
const metadata = new Metadata() as Metadata & {
  numberingPlan: Plan;
  hasCallingCode(code: string): boolean;
  getCountryCodesForCallingCode(code: string): CountryCode[] | undefined;
};

/** The countries of a calling code, the main one first; undefined for a code that is not in use. */
export const countriesOf = (code: string): readonly CountryCode[] | undefined =>
  metadata.hasCallingCode(code) ? (metadata.getCountryCodesForCallingCode(code) ?? []) : undefined;

interface Rule {
  /** Trunk prefixes of the main country of a calling code, such as `0`. */
  readonly prefixes: readonly string[];
  /** Matches the national numbers of that country, without a trunk prefix. */
  readonly number: RegExp;
}

const readRule = (code: string): Rule | undefined => {
  const country = countriesOf(code)?.[0];
  if (country === undefined) return undefined;
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan;
  const dialled = new RegExp(`^(?:${plan.nationalPrefixForParsing() || '(?!)'})$`);
  const digits = [...'0123456789'].filter((digit) => dialled.test(digit));
  const prefixes = [...new Set([plan.nationalPrefix() || [], digits].flat())];
  return { prefixes, number: new RegExp(`^(?:${plan.nationalNumberPattern()})$`) };
};

const rules = new Map<string, Rule | undefined>();

const ruleOf = (code: string): Rule | undefined => rules.getOrInsertComputed(code, readRule);

/** An international number (`+` and digits) without the trunk prefix that is dialled only inside its country:
 *  `+4402079460018` is `+442079460018`. It is removed only if the number is valid without it and not with it. A zero that
 *  belongs to the number stays, as in Italy, and a fictitious number that is valid in no country stays as it is. */
export const withoutTrunkPrefix = (number: string): string => {
  for (let end = 2; end <= 4; end++) {
    const rule = ruleOf(number.slice(1, end));
    if (!rule) continue;
    const national = number.slice(end);
    if (!rule.prefixes.some((prefix) => national.startsWith(prefix)) || rule.number.test(national)) break;
    // The library takes a hundred times as long as the checks before it. Few numbers get here.
    const parsed = parsePhoneNumberFromString(number, { extract: false });
    return parsed && rule.number.test(parsed.nationalNumber) ? parsed.number : number;
  }
  return number;
};
