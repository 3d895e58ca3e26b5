import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { plural, t } from '../../../lib/i18n.ts';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { type BlockedPerson, groupsOf } from './blocked-groups.ts';

const MAX_SHOWN = 10;

/** Who is blocked by which missing values, with links to the contacts. */
export const BlockedPeople = ({
  people,
  total,
  agent,
}: {
  readonly people: readonly BlockedPerson[];
  /** How many there are, of whom these are the first. */
  readonly total: number;
  readonly agent: { readonly id: string; readonly name: string };
}) => (
  <>
    {total > people.length && (
      <p className="mt-1.5">{t('These are the first {count}:', { count: people.length })}</p>
    )}
    <ul className="mt-1.5 flex flex-col gap-1.5">
      {groupsOf(people).map(({ holes, people: members }) => (
        <li key={holes.join()}>
          {t('Missing:')}{' '}
          {holes.map((hole, at) => (
            <Fragment key={hole}>
              {at > 0 && ', '}
              <code className="font-mono text-[0.8125rem] font-medium">{hole}</code>
            </Fragment>
          ))}
          <ul className="flex flex-wrap gap-x-3">
            {members.slice(0, MAX_SHOWN).map(({ contact_id, contact_name, contact_phone_number }) => (
              <li key={contact_id}>
                <Link to="/contacts/$id" params={{ id: contact_id }} className="underline">
                  <bdi>
                    <NameOrPhone text={contact_name ?? contact_phone_number ?? t('Contact')} />
                  </bdi>
                </Link>
              </li>
            ))}
            {members.length > MAX_SHOWN && (
              <li>{plural(members.length - MAX_SHOWN, 'and # more', 'and # more')}</li>
            )}
          </ul>
        </li>
      ))}
    </ul>
    <p className="mt-1.5">
      {t('Add the value to the contact, or a fallback to the instructions:')}{' '}
      <Link to="/agents/$id" params={{ id: agent.id }} className="underline">
        {t('Open {name}', { name: agent.name })}
      </Link>
    </p>
  </>
);
