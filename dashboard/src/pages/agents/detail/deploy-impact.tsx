import { Cable, FileDiff, Megaphone, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeployImpact } from '../../../api/types.gen.ts';
import { countText, numberText } from '../../../lib/format.ts';
import { channelTypeLabels } from '../../channels/labels.tsx';
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

const Named = <T,>({ items, show }: { readonly items: readonly T[]; readonly show: (item: T) => string }) => (
  <ul className="mt-0.5 text-muted">
    {items.slice(0, MAX_NAMED).map((item) => (
      <li dir="auto" key={show(item)} className="wrap-anywhere">
        {show(item)}
      </li>
    ))}
    {items.length > MAX_NAMED && <li>and {numberText(items.length - MAX_NAMED)} more</li>}
  </ul>
);

/** A summary of what a deploy would change. */
export const Impact = ({ impact }: { readonly impact: DeployImpact }) => {
  const { version, deployed_version: deployed, channels, campaigns, enrolled_contacts: enrolled } = impact;
  const lines = changedLines(impact.difference);
  const added = lines.filter(({ change }) => change === 'added').length;
  const { unknown_variables: unknown } = impact;
  const missing = impact.variables.filter((each) => each.contacts_without_value > 0);
  return (
    <ul className="flex flex-col gap-4 text-sm">
      <Part
        icon={<Cable />}
        title={
          channels.length > 0
            ? deployed
              ? `${countText(channels.length, 'channel')} will switch from ${deployed.version_label} to ${version.version_label} immediately`
              : `${countText(channels.length, 'channel')} will use ${version.version_label} immediately`
            : 'No channels connected'
        }
      >
        {channels.length > 0 ? (
          <Named
            items={channels}
            show={({ name, kind, address }) => `${name} · ${channelTypeLabels[kind]} ${address}`}
          />
        ) : (
          <p className="text-muted">{version.version_label} won't be live until you connect a channel.</p>
        )}
      </Part>
      <Part
        icon={<Megaphone />}
        title={
          campaigns.length > 0
            ? `${countText(campaigns.length, 'active campaign')} with ${countText(enrolled, 'enrolled contact')}`
            : 'No active campaign uses this agent'
        }
      >
        {campaigns.length > 0 && <Named items={campaigns} show={({ name }) => name} />}
      </Part>
      {missing.length > 0 && (
        <Part icon={<TriangleAlert />} title="Some enrolled contacts have no value for a variable">
          <ul className="mt-0.5 text-warn-ink">
            {missing.map(({ name, contacts_without_value: count }) => (
              <li key={name}>
                <code className="font-mono">{`{{${name}}}`}</code> is missing for {numberText(count)} of{' '}
                {countText(enrolled, 'contact')}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {unknown.length > 0 && (
        <Part icon={<TriangleAlert />} title={countText(unknown.length, 'unknown variable')}>
          <p className="text-muted">
            {unknown.length === 1
              ? "It isn't a contact field and may be read out literally."
              : "They aren't contact fields and may be read out literally."}
          </p>
          <ul className="mt-0.5 text-warn-ink">
            {unknown.slice(0, MAX_NAMED).map(({ placeholder, suggestion }) => (
              <li key={placeholder} className="wrap-anywhere">
                <code className="font-mono">{placeholder}</code>
                {suggestion && (
                  <>
                    {' '}
                    – did you mean <code className="font-mono">{`{{${suggestion}}}`}</code>?
                  </>
                )}
              </li>
            ))}
            {unknown.length > MAX_NAMED && <li>and {numberText(unknown.length - MAX_NAMED)} more</li>}
          </ul>
        </Part>
      )}
      <Part
        icon={<FileDiff />}
        title={
          lines.length === 0
            ? deployed
              ? 'No changes to the deployed instructions'
              : 'The instructions are empty'
            : deployed
              ? `${countText(added, 'line')} added, ${numberText(lines.length - added)} removed`
              : `First deploy: ${countText(added, 'line')} of instructions`
        }
      >
        {lines.length > 0 && <ChangedLines lines={lines} />}
      </Part>
    </ul>
  );
};
