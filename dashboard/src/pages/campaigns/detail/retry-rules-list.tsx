import type { CampaignSchedule } from '../../../api/types.gen.ts';
import { dispositionText, useDispositions } from '../../../records/calls/settings.ts';
import { ruleText } from './retry-rule-labels.ts';

/** What happens to a contact by the disposition of the call. */
const RetryRules = ({ rules }: { readonly rules: NonNullable<CampaignSchedule['retry_rules']> }) => {
  const dispositions = useDispositions();
  return (
    <ul>
      {rules.map((rule) => (
        <li key={rule.disposition}>
          <bdi>{dispositionText(dispositions, rule.disposition)}</bdi>: {ruleText(rule)}
        </li>
      ))}
    </ul>
  );
};

export default RetryRules;
