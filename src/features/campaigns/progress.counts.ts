export const progressKinds = ['enrolled', 'claimed', 'completed', 'failed'] as const;
export type ProgressKind = (typeof progressKinds)[number];

/** What happened in a campaign is counted by hour in UTC, so that it can be summed up to the days of any time zone. The counters
 *  say what happened, so removing an enrollment does not change them. */
export const progressPrefix = (campaign: string): string => `progress@${campaign}/`;

/** The first 13 characters of a timestamp: `YYYY-MM-DDTHH`. */
export const hourOf = (at: string): string => at.slice(0, 13);

export const progressCounter = (campaign: string, at: string, kind: ProgressKind): string =>
  `${progressPrefix(campaign)}${hourOf(at)}/${kind}`;
