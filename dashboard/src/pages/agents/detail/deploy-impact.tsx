import { Cable, FileDiff, Megaphone, SlidersHorizontal, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeployImpact } from '../../../api/types.gen.ts';
import { numberText, plural, t } from '../../../lib/i18n.ts';
import { channelTypeLabels } from '../../../records/channels/labels.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ConfigChanges } from '../config/changes-list.tsx';
import { UnknownVariable } from '../unknown-variables.tsx';
import { ChangedLines, changedLines } from './changed-lines.tsx';

const MAX_NAMED = 6;

const Part = ({
  icon,
  title,
  children,
}: {
  readonly icon: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}) => (
  <li className="flex gap-3">
    <span aria-hidden className="mt-0.5 text-muted [&_svg]:size-4.5">
      {icon}
    </span>
    <div className="min-w-0 flex-1">
      <p className="font-medium">{title}</p>
      {children}
    </div>
  </li>
);

const Named = <T extends { readonly id: string }>({
  items,
  show,
}: {
  readonly items: readonly T[];
  readonly show: (item: T) => ReactNode;
}) => (
  <ul className="mt-0.5 text-muted">
    {items.slice(0, MAX_NAMED).map((item) => (
      <li dir="auto" key={item.id} className="wrap-anywhere">
        {show(item)}
      </li>
    ))}
    {items.length > MAX_NAMED && <li>{t('and {count} more', { count: items.length - MAX_NAMED })}</li>}
  </ul>
);

/** A summary of what a deploy would change. */
export const Impact = ({
  impact,
  blanks,
}: {
  readonly impact: DeployImpact;
  /** Words of a template that the author did not replace. */
  readonly blanks: readonly string[];
}) => {
  const { version, deployed_version: deployed, channels, campaigns, enrolled_contacts: enrolled } = impact;
  const label = version.version_label;
  const lines = changedLines(impact.difference);
  const added = lines.filter(({ change }) => change === 'added').length;
  const config = impact.difference.config.changes;
  const { unknown_variables: unknown } = impact;
  const missing = impact.variables.filter((each) => each.contacts_without_value > 0);
  return (
    <ul className="flex flex-col gap-4 text-sm">
      <Part
        icon={<Cable />}
        title={
          channels.length > 0
            ? deployed
              ? plural(
                  channels.length,
                  '# channel will switch from {from} to {to} immediately',
                  '# channels will switch from {from} to {to} immediately',
                  { from: deployed.version_label, to: label },
                )
              : plural(
                  channels.length,
                  '# channel will use {label} immediately',
                  '# channels will use {label} immediately',
                  { label },
                )
            : t('No channels connected')
        }
      >
        {channels.length > 0 ? (
          <Named
            items={channels}
            show={({ name, kind, address }) => (
              <>
                {`${name} · ${channelTypeLabels[kind]} `}
                <NameOrPhone text={address} />
              </>
            )}
          />
        ) : (
          <p className="text-muted">{t("{label} won't be live until you connect a channel.", { label })}</p>
        )}
      </Part>
      <Part
        icon={<Megaphone />}
        title={
          campaigns.length > 0
            ? t('{campaigns} with {contacts}', {
                campaigns: plural(campaigns.length, '# active campaign', '# active campaigns'),
                contacts: plural(enrolled, '# enrolled contact', '# enrolled contacts'),
              })
            : t('No active campaign uses this agent')
        }
      >
        {campaigns.length > 0 && <Named items={campaigns} show={({ name }) => name} />}
      </Part>
      {missing.length > 0 && (
        <Part icon={<TriangleAlert />} title={t('Some enrolled contacts have no value for a variable')}>
          <ul className="mt-0.5 text-warn-ink">
            {missing.map(({ name, contacts_without_value: count }) => (
              <li key={name}>
                {rich('{variable} is missing for {count} of {contacts}', {
                  variable: <code className="font-mono">{`{{${name}}}`}</code>,
                  count: `${numberText(count)}${impact.is_complete ? '' : '+'}`,
                  contacts: plural(enrolled, '# contact', '# contacts'),
                })}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {unknown.length > 0 && (
        <Part
          icon={<TriangleAlert />}
          title={plural(unknown.length, '# unknown variable', '# unknown variables')}
        >
          <p className="text-muted">
            {unknown.length === 1
              ? t('No contact field and no declared variable has this name. It may be read out literally.')
              : t(
                  'No contact field and no declared variable has these names. They may be read out literally.',
                )}
          </p>
          <ul className="mt-0.5 text-warn-ink">
            {unknown.slice(0, MAX_NAMED).map(({ placeholder, suggestion }) => (
              <li key={placeholder} className="wrap-anywhere">
                <UnknownVariable placeholder={placeholder} suggestion={suggestion} />
              </li>
            ))}
            {unknown.length > MAX_NAMED && (
              <li>{t('and {count} more', { count: unknown.length - MAX_NAMED })}</li>
            )}
          </ul>
        </Part>
      )}
      {blanks.length > 0 && (
        <Part
          icon={<TriangleAlert />}
          title={plural(
            blanks.length,
            '# word of the template is not replaced',
            '# words of the template are not replaced',
          )}
        >
          <p className="text-muted">{t('Callers may hear words in brackets literally.')}</p>
          <p className="mt-0.5 font-mono text-warn-ink wrap-anywhere">{blanks.join(' ')}</p>
        </Part>
      )}
      <Part
        icon={<FileDiff />}
        title={
          lines.length === 0
            ? deployed
              ? t('No changes to the deployed instructions')
              : t('The instructions are empty')
            : deployed
              ? plural(added, '# line added, {removed} removed', '# lines added, {removed} removed', {
                  removed: lines.length - added,
                })
              : plural(added, 'First deploy: # line of instructions', 'First deploy: # lines of instructions')
        }
      >
        {lines.length > 0 && <ChangedLines lines={lines} />}
      </Part>
      <Part
        icon={<SlidersHorizontal />}
        title={
          config.length > 0
            ? plural(config.length, '# change of the configuration', '# changes of the configuration')
            : deployed
              ? t('No changes to the deployed configuration')
              : t('The configuration is empty')
        }
      >
        {config.length > 0 && (
          <div className="mt-2">
            <ConfigChanges changes={config} />
          </div>
        )}
      </Part>
    </ul>
  );
};
