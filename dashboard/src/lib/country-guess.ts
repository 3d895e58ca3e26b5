/** Not in every browser. */
interface ZonedLocale {
  readonly region?: string | undefined;
  getTimeZones?: () => readonly string[] | undefined;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const allRegions = (): string[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) => regionNames.of(code));

/** The current code of a region, if a time zone is used there. */
const regionWith = (zone: string, tag: string): string | undefined => {
  try {
    const locale: ZonedLocale = new Intl.Locale(tag);
    return locale.getTimeZones?.()?.includes(zone) ? locale.region : undefined;
  } catch {
    return undefined;
  }
};

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** The country of a time zone; empty if it has none or the browser does not know. The regions of the languages come first but
 *  decide nothing alone: many people outside the United States use American English. A browser needs some milliseconds for a
 *  region, so this pauses after each. */
export const guessCountry = async (zone: string, languages: readonly string[]): Promise<string> => {
  if (/^(?:UTC|GMT|Etc\/.*)$/.test(zone)) return '';
  for (const tag of [...languages, ...allRegions().map((code) => `und-${code}`)]) {
    const region = regionWith(zone, tag);
    if (region) return region;
    await pause();
  }
  return '';
};
