import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { plural, t } from '../../../lib/i18n.ts';
import { useFields } from '../../../records/fields/query.ts';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { type BlockedPerson, groupsOf, sourcesOf } from './blocked-groups.ts';

const MAX_SHOWN = 10;

/** Where the missing values belong. */
const Remedies = ({ people }: { readonly people: readonly BlockedPerson[] }) => {
  const fields = useFields();
  if (!fields) return null;
  const { contact, enrollment } = sourcesOf(
    people,
    fields.map(({ key }) => key),
  );
  return (
    <>
      {contact.length > 0 && (
        <p className="mt-1.5">{t('Add to the contacts: {names}.', { names: contact.join(', ') })}</p>
      )}
      {enrollment.length > 0 && (
        <p className="mt-1.5">
          {t(
            'Set as variables of the enrollments, by updating them through the API (PATCH) or by an import into the campaign: {names}.',
            { names: enrollment.join(', ') },
          )}
        </p>
      )}
    </>
  );
};

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
    <Remedies people={people} />
    <p className="mt-1.5">
      {t('Or add a fallback to the instructions:')}{' '}
      <Link to="/agents/$id" params={{ id: agent.id }} className="underline">
        {t('Open {name}', { name: agent.name })}
      </Link>
    </p>
  </>
);
