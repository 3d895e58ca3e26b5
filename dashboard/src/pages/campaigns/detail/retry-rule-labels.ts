import { plural, t } from '../../../lib/i18n.ts';
import type { RetryRule } from './retry-rules.ts';

export const actionLabels: Readonly<Record<RetryRule['action'], string>> = {
  retry: t('Call again'),
  complete: t('Complete'),
  fail: t('Fail'),
};

/** `call again after 60 minutes`. */
export const ruleText = ({ action, after_minutes }: RetryRule): string =>
  action === 'complete'
    ? t('complete')
    : action === 'fail'
      ? t('fail')
      : after_minutes === undefined
        ? t('call again')
        : plural(after_minutes, 'call again after # minute', 'call again after # minutes');
