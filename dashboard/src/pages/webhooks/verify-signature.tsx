import { useState } from 'react';
import { CodeBlock } from '../../app/code-block.tsx';
import { t } from '../../lib/i18n.ts';
import { rich } from '../../ui/rich.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type Language, verificationCode } from './verification-code.ts';

/** Code that verifies the signature of an event, in several languages. */
export const VerifySignature = () => {
  const [language, setLanguage] = useState<Language>('typescript');
  return (
    <section aria-labelledby="verify-signature">
      <h3 id="verify-signature" className="text-sm font-semibold">
        {t('Verify the signature')}
      </h3>
      <p className="mb-2 text-[0.8125rem] text-muted">
        {rich(
          'Requests are signed as Standard Webhooks. Set the environment variable {variable} to the secret of this endpoint, and reject a request whose signature does not match.',
          { variable: <code className="font-mono">WEBHOOK_SECRET</code> },
        )}
      </p>
      <Tabs
        label={t('Language')}
        value={language}
        onChange={setLanguage}
        tabs={Object.entries(verificationCode).map(([value, { label, install, code }]) => ({
          value: value as Language,
          label,
          content: (
            <div className="flex flex-col gap-3">
              {install && <CodeBlock label={t('Install')} text={install} />}
              <CodeBlock label={install ? t('Receive events') : t('Compute the signature')} text={code} />
            </div>
          ),
        }))}
      />
    </section>
  );
};
