import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { BlockedPeople } from './blocked-people.tsx';
import { progressQuery } from './progress-query.ts';

const LIMIT = 100;

/** Who is blocked and skipped in a campaign, why, and what to do about it. */
const Blocked = ({
  campaign,
  onShow,
}: {
  readonly campaign: Campaign;
  /** Shows only enrollments with this status. */
  readonly onShow: (status: 'blocked' | 'skipped') => void;
}) => {
  const { id, agent, enrolled } = campaign;
  const { blocked = 0, skipped = 0 } = enrolled;
  const list = useQuery({
    ...apiQuery('/campaigns/{id}/enrollments', {
      params: { id },
      query: { status: 'blocked', limit: LIMIT },
    }),
    enabled: blocked > 0,
  });
  const missing = useQuery(progressQuery(id)).data?.data.missing_values ?? [];
  const people = (list.data?.data ?? []).map((each) => ({ ...each, holes: each.reason?.holes ?? [] }));
  return (
    <div className="mb-4 flex flex-col gap-2">
      {blocked > 0 && (
        <Notice
          tone="warn"
          action={
            <Button size="small" onClick={() => onShow('blocked')}>
              {t('Show blocked')}
            </Button>
          }
        >
          <p>
            {plural(
              blocked,
              '# contact is blocked, because the instructions use a value that it does not have. It continues by itself when the value arrives.',
              '# contacts are blocked, because the instructions use values that they do not have. They continue by themselves when the values arrive.',
            )}
          </p>
          {missing.length > 0 && (
            <p className="mt-1.5">
              {t('Contacts by missing value:')}{' '}
              {missing.map(({ name, contacts }, at) => (
                <Fragment key={name}>
                  {at > 0 && ', '}
                  <code className="font-mono text-[0.8125rem] font-medium">{name}</code>{' '}
                  <span className="figure">{numberText(contacts)}</span>
                </Fragment>
              ))}
            </p>
          )}
          {people.length > 0 && <BlockedPeople people={people} total={blocked} agent={agent} />}
        </Notice>
      )}
      {skipped > 0 && (
        <Notice
          action={
            <Button size="small" onClick={() => onShow('skipped')}>
              {t('Show skipped')}
            </Button>
          }
        >
          {plural(
            skipped,
            '# contact was skipped, because it was no longer in the audience when it was its turn. If it matches again, it returns to the queue.',
            '# contacts were skipped, because they were no longer in the audience when it was their turn. Those who match again return to the queue.',
          )}
        </Notice>
      )}
    </div>
  );
};

export default Blocked;
