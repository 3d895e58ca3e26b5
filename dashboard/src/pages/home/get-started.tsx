import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { apiQuery } from '../../api/query.ts';
import type { Channel, Figures } from '../../api/types.gen.ts';
import { CodeBlock } from '../../app/code-block.tsx';
import { useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';
import { testEventRequest } from '../../records/channels/test-event.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Section } from '../../ui/page.tsx';
import { SampleData } from './sample-data.tsx';

export const first = { query: { limit: 20 } };

interface Step {
  readonly title: string;
  readonly text: string;
  readonly done: boolean;
  /** Labels and places, the recommended one first. */
  readonly links: readonly (readonly [string, Pick<LinkProps, 'to' | 'params' | 'search'>])[];
  /** Shown while it is the next step. */
  readonly more?: ReactNode;
}

/** The links lead to the agent or channel that was added last. */
const useSteps = (figures: Figures): Step[] | undefined => {
  const isOwner = useCurrentUser().role === 'owner';
  const agents = useQuery(apiQuery('/agents', first)).data?.data;
  const connected = figures.connected_channels > 0;
  const channels = useQuery({ ...apiQuery('/channels', first), enabled: connected }).data?.data;
  const keys = useQuery({ ...apiQuery('/keys'), enabled: isOwner }).data?.data.length;
  const users = useQuery({ ...apiQuery('/users'), enabled: isOwner }).data?.data.length;
  if (!agents || (isOwner && (keys === undefined || users === undefined))) return undefined;
  const draft = agents.find(({ deployed_version }) => !deployed_version);
  const live = agents.find(({ deployed_version }) => deployed_version) ?? draft;
  const line = channels?.find(({ agent }) => agent) ?? channels?.[0];
  const forOwners: Step[] = [
    {
      title: t('Create an API key'),
      text: t('Your programs use it to read and write contacts, and to dial campaigns.'),
      done: keys !== 0,
      links: [[t('Create key'), { to: '/settings', search: { tab: 'keys', add: true } }]],
    },
    {
      title: t('Invite a colleague'),
      text: t('Members work with contacts, agents and campaigns. Owners also manage access.'),
      done: (users ?? 0) > 1,
      links: [[t('Add member'), { to: '/settings', search: { tab: 'members', add: true } }]],
    },
  ];
  return [
    {
      title: t('Add or import contacts'),
      text: t('The people your agents talk to, one by one or from a CSV or Excel file.'),
      done: figures.contacts > 0,
      links: [
        [t('Import a file'), { to: '/import' }],
        [t('Add contact'), { to: '/contacts', search: { add: true } }],
      ],
    },
    {
      title: t('Create an agent'),
      text: t('Its instructions define what it says. They stay a draft until you deploy them.'),
      done: figures.agents > 0,
      links: [[t('Create agent'), { to: '/agents', search: { add: true } }]],
    },
    {
      title: t('Deploy it'),
      text: t('The deployed version is the one that your channels use.'),
      done: figures.active_agents > 0,
      links: draft
        ? [[t('Deploy'), { to: '/agents/$id', params: { id: draft.id }, search: { deploy: 'newest' } }]]
        : [],
    },
    {
      title: t('Connect a channel'),
      text: t('A deployed version goes live on every channel its agent is connected to.'),
      done: connected,
      links: live
        ? [[t('Connect channel'), { to: '/agents/$id', params: { id: live.id }, search: { connect: true } }]]
        : [],
    },
    {
      title: t('Send a test call'),
      text: t('Report a call as your runtime would. This step is ticked off when it arrives.'),
      done: figures.calls > 0,
      links: line ? [[t('Open channel'), { to: '/channels', search: { channel: line.id } }]] : [],
      more: line && <TestCall channel={line} />,
    },
    ...(isOwner ? forOwners : []),
  ];
};

/** A platform reports its calls itself. */
const TestCall = ({ channel }: { readonly channel: Channel }) =>
  channel.adapter === 'native' && (
    <CodeBlock
      label={t('In a terminal')}
      text={testEventRequest(channel)}
      hint={t('Replace $CHANNEL_SECRET with the secret of the channel, which was shown when you created it.')}
    />
  );

const keyOf = (user: string) => `get-started-dismissed ${user}`;

/** The steps from an empty workspace to the first call, until all are done or the user dismisses them in this browser. */
export const GetStarted = ({ figures }: { readonly figures: Figures }) => {
  const { id: user } = useCurrentUser();
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(keyOf(user)) !== null);
  if (isDismissed) return <SampleData isSmall />;
  return (
    <Steps
      figures={figures}
      onDismiss={() => {
        localStorage.setItem(keyOf(user), '1');
        setDismissed(true);
      }}
    />
  );
};

const Steps = ({ figures, onDismiss }: { readonly figures: Figures; readonly onDismiss: () => void }) => {
  const steps = useSteps(figures);
  const left = steps?.filter(({ done }) => !done).length;
  /** Whether a step was left since the page was opened, so that the end is shown as a success. */
  const wasOpen = useRef(false);
  useEffect(() => {
    if (left) wasOpen.current = true;
    else if (left === 0 && !wasOpen.current) onDismiss();
  });
  if (!steps || (left === 0 && !wasOpen.current)) return null;
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Section
      title={t('Get started')}
      description={
        left === 0
          ? t('All done. Your agent is live.')
          : t('{done} of {total} steps done.', { done: steps.length - (left ?? 0), total: steps.length })
      }
      actions={
        <IconButton
          label={t('Dismiss these steps')}
          size="small"
          icon={<X aria-hidden />}
          onClick={onDismiss}
        />
      }
    >
      <ol className="-my-1 divide-y divide-line">
        {steps.map(({ title, text, done, links, more }, index) => (
          <li key={title} className="flex gap-3 py-2.5">
            <span
              aria-hidden
              className={cx(
                'grid size-6 shrink-0 place-items-center rounded-full text-[0.8125rem] font-semibold',
                done ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-ink',
              )}
            >
              {done ? <Check className="size-3.5" strokeWidth={3} /> : index + 1}
            </span>
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                <div className="min-w-0">
                  <h3 className={cx('text-sm/6', done ? 'text-muted' : 'font-medium')}>
                    {title}
                    {done && <span className="sr-only"> {t('(done)')}</span>}
                  </h3>
                  {index === next && <p className="text-sm text-muted">{text}</p>}
                </div>
                {!done && (
                  <div className="flex flex-wrap gap-2 sm:-my-1">
                    {links.map(([label, target], at) => (
                      <Button
                        key={label}
                        asChild
                        size="small"
                        variant={index === next && at === 0 ? 'primary' : 'secondary'}
                      >
                        <Link {...target}>{label}</Link>
                      </Button>
                    ))}
                  </div>
                )}
              </div>
              {index === next && more && <div className="mt-3">{more}</div>}
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-3 border-t border-line pt-3 empty:hidden">
        <SampleData />
      </div>
    </Section>
  );
};
