import type { CampaignSchedule } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';

export const MAX_RULES = 50;
/** 30 days. */
const MAX_MINUTES = 43_200;

export type RetryRule = NonNullable<CampaignSchedule['retry_rules']>[number];

/** A rule as it is edited. */
export interface RetryRow {
  readonly id: number;
  readonly disposition: string;
  readonly action: RetryRule['action'];
  /** Empty: immediately. */
  readonly minutes: string;
}

const CALL_AGAIN: RetryRow['action'] = 'retry';

let lastId = 0;
export const newRow = (): RetryRow => ({
  id: ++lastId,
  disposition: '',
  action: CALL_AGAIN,
  minutes: '',
});

export const rowsOf = (rules: CampaignSchedule['retry_rules']): readonly RetryRow[] =>
  (rules ?? []).map(({ disposition, action, after_minutes }) => ({
    ...newRow(),
    disposition,
    action,
    minutes: after_minutes === undefined ? '' : String(after_minutes),
  }));

export const rulesOf = (rows: readonly RetryRow[]): RetryRule[] =>
  rows.map(({ disposition, action, minutes }) => ({
    disposition,
    action,
    ...(action === 'retry' && minutes !== '' && { after_minutes: Number(minutes) }),
  }));

/** The problems of all rows by field, named as the service names them. */
export const ruleProblems = (rows: readonly RetryRow[]): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  const keys = rows.map(({ disposition }) => disposition);
  for (const [at, { disposition, action, minutes }] of rows.entries()) {
    const count = Number(minutes);
    if (disposition === '') found[`retry_rules[${at}].disposition`] = t('Choose a disposition.');
    else if (keys.indexOf(disposition) < at)
      found[`retry_rules[${at}].disposition`] = t('Another rule has this disposition.');
    if (
      action === 'retry' &&
      minutes !== '' &&
      !(Number.isInteger(count) && count >= 1 && count <= MAX_MINUTES)
    )
      found[`retry_rules[${at}].after_minutes`] = t('Enter a whole number from {min} to {max}.', {
        min: 1,
        max: MAX_MINUTES,
      });
  }
  return found;
};
