import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { CreatedKey } from '../../../api/types.gen.ts';
import { CodeBlock } from '../../../app/code-block.tsx';
import { useCurrentUser } from '../../../app/current-user.ts';
import { SecretDialog } from '../../../app/secret-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { DocsLink } from '../../../ui/docs-link.tsx';
import { rich } from '../../../ui/rich.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { toast } from '../../../ui/toast.tsx';
import { claimsUrl, sdkDialer, shellDialer } from './dialer-code.ts';

/** All that a dialer needs: a claim hands out the contacts and the instructions. */
const SCOPE = 'campaigns:write';
const NAME = 'dialer';

const programs = { shell: shellDialer, sdk: sdkDialer };
/** The names of the files. */
const fileNames = { shell: 'dialer.sh', sdk: 'dialer.ts' };
const programLabels = { shell: t('Shell with curl and jq'), sdk: t('TypeScript with the SDK') };

const CreateDialerKey = ({ onCreated }: { readonly onCreated: (created: CreatedKey) => void }) => {
  const create = useMutation({
    mutationFn: () => call('POST', '/keys', { body: { name: NAME, scopes: [SCOPE] } }),
    onSuccess: ({ data }) => {
      void invalidate('/keys');
      onCreated(data);
    },
    onError: (error) => toast.failed(error),
  });
  return (
    <Button busy={create.isPending} onClick={() => create.mutate()}>
      {!create.isPending && <KeyRound aria-hidden />}
      {t('Create API key')}
    </Button>
  );
};

/** What a dialer needs to work on a campaign: the address, a key, and a program to begin with. */
const ConnectDialer = ({ campaign }: { readonly campaign: string }) => {
  const isOwner = useCurrentUser().role === 'owner';
  const [program, setProgram] = useState<keyof typeof programs>('shell');
  const [created, setCreated] = useState<CreatedKey>();
  const target = { origin: location.origin, campaign };
  const scope = <code className="whitespace-nowrap">{SCOPE}</code>;
  return (
    <div className="mt-3 flex flex-col gap-4 border-t border-line pt-4">
      <div>
        <h3 className="font-semibold">{t('Connect a dialer')}</h3>
        <p className="max-w-prose text-muted">
          {t(
            'Roster calls no one itself. A dialer is your own program: it claims contacts from this campaign, calls them and reports the results.',
          )}
        </p>
      </div>
      <CodeBlock label={t('Address for claims (POST)')} text={claimsUrl(target)} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {isOwner && <CreateDialerKey onCreated={setCreated} />}
        <p className="min-w-0 flex-1 basis-64 text-muted">
          {isOwner
            ? rich('Creates a key named {name} with only the scope {scope}, and shows it once.', {
                name: <code>{NAME}</code>,
                scope,
              })
            : rich('Ask an owner of this workspace for an API key with the scope {scope}.', { scope })}
        </p>
      </div>
      <div className="max-w-md">
        <Segmented
          label={t('Program to begin with')}
          options={programLabels}
          value={program}
          onChange={setProgram}
        />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        aria-label={programLabels[program]}
        className="max-h-80 overflow-y-auto rounded-lg"
      >
        <CodeBlock label={fileNames[program]} text={programs[program](target)} />
      </section>
      <p className="flex flex-wrap items-center gap-x-4 text-muted">
        {t('Replace the marked function with your telephony. Then start it as often as you like.')}
        <DocsLink to="campaigns" />
      </p>
      {created && (
        <SecretDialog
          title={t('{name} created', { name: created.name })}
          description={t('{scope}, never expires.', { scope: SCOPE })}
          kind="key"
          secret={created.key}
          explanation={t('Store it like a password. If you lose it, create another key and revoke this one.')}
          onClose={() => setCreated(undefined)}
        >
          <CodeBlock label={fileNames[program]} text={programs[program]({ ...target, key: created.key })} />
        </SecretDialog>
      )}
    </div>
  );
};

export default ConnectDialer;
