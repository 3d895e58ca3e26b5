import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import { CodeBlock } from '../../app/code-block.tsx';
import { switchWorkspace, useCurrentUser } from '../../app/current-user.ts';
import { percentText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { ProgressBar } from '../../ui/progress.tsx';
import { toast } from '../../ui/toast.tsx';

const POLL_MS = 1_000;
const demo = ['npx', 'roster', 'demo'];

/** An owner loads, opens and removes the workspace of sample data. `isSmall` shows it only while there is one. */
export const SampleData = ({ isSmall = false }: { readonly isSmall?: boolean }) => {
  const isOwner = useCurrentUser().role === 'owner';
  const [isRemoving, setRemoving] = useState(false);
  const query = useQuery({
    ...apiQuery('/sample-data'),
    enabled: isOwner,
    refetchInterval: ({ state }) =>
      state.data?.data.state === 'loading' || state.data?.data.state === 'removing' ? POLL_MS : false,
  });
  const refresh = () => invalidate('/sample-data', '/session/workspaces');
  const load = useMutation({
    mutationFn: () => call('POST', '/sample-data'),
    onSuccess: refresh,
    onError: toast.failed,
  });
  const data = query.data?.data;
  if (!data || (isSmall && (data.state === 'none' || data.state === 'unavailable' || !data.user_id)))
    return null;
  const { state, percent, user_id: user } = data;
  const text = {
    none: t(
      'Sample data fills a workspace of its own, named demo, with people, agents, calls and campaigns. All of it is fictional, and yours is not changed.',
    ),
    loading: t('The workspace demo is being filled. You can go on working.'),
    ready: user
      ? t('The sample data is in the workspace demo, which is in the menu of workspaces.')
      : t('Someone else has loaded the sample data, in the workspace demo.'),
    removing: t('The sample data is being removed.'),
    current: t('This workspace has the sample data. To remove it, switch to your own one.'),
    unavailable: t(
      'The command line fills a workspace of its own, named demo, with people, agents, calls and campaigns, and prints a link to sign in to it. Yours is not changed. Removing it removes all of it.',
    ),
  }[state];
  /** The browser may have lost its session in the workspace. */
  const open = async () => {
    const { user_id } = (await load.mutateAsync()).data;
    if (user_id) await switchWorkspace(user_id);
  };
  return (
    <section aria-label={t('Sample data')} className={isSmall ? 'card mb-4 p-4 text-sm' : 'text-sm'}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          {!isSmall && <span className="font-medium text-ink">{t('Just looking around?')}</span>} {text}
        </p>
        {state === 'none' && (
          <Button size="small" busy={load.isPending} onClick={() => load.mutate()}>
            {t('Load sample data')}
          </Button>
        )}
        {state === 'ready' && user && (
          <div className="flex flex-wrap gap-2">
            <Button size="small" busy={load.isPending} onClick={() => void open().catch(toast.failed)}>
              {t('Open sample data')}
            </Button>
            <Button size="small" onClick={() => setRemoving(true)}>
              {t('Remove sample data')}
            </Button>
          </div>
        )}
      </div>
      {state === 'loading' && (
        <div className="mt-3 max-w-md">
          <ProgressBar
            label={t('Loading sample data')}
            value={percent}
            max={100}
            detail={percentText(percent / 100)}
          />
        </div>
      )}
      {state === 'unavailable' && (
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <CodeBlock label={t('Load sample data')} text={demo.join(' ')} />
          <CodeBlock label={t('Remove sample data')} text={[...demo, '--remove'].join(' ')} />
        </div>
      )}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={t('Remove the sample data?')}
        consequences={[t('The workspace demo is deleted, with everything that was added to it.')]}
        danger
        action={t('Remove sample data')}
        onConfirm={() => call('DELETE', '/sample-data').then(refresh)}
      />
    </section>
  );
};
