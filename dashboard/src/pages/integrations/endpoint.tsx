import { CodeBlock } from '../../app/code-block.tsx';
import { t } from '../../lib/i18n.ts';
import { DocsLink } from '../../ui/docs-link.tsx';

const SECRET_PLACEHOLDER = '$INTEGRATION_SECRET';

const exampleRequest = (address: string, secret: string): string =>
  [
    `curl -s "${address}" \\`,
    `  -H "Authorization: Bearer ${secret}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"phone_number": "+14155550123", "first_name": "Ada", "crm_ids": {"hubspot": "551"}}'`,
  ].join('\n');

/** The endpoint of an integration, as described in docs/hooks.md. */
export const Endpoint = ({
  id,
  secret = SECRET_PLACEHOLDER,
}: {
  readonly id: string;
  /** Known only right after creation. */
  readonly secret?: string;
}) => {
  const address = `${location.origin}/hooks/contacts/${id}`;
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock
        label={t('Endpoint')}
        text={address}
        hint={t(
          'Your CRM sends each contact here as a JSON POST request, with the secret as a bearer token.',
        )}
      />
      <CodeBlock
        label={t('Terminal example')}
        text={exampleRequest(address, secret)}
        hint={
          secret === SECRET_PLACEHOLDER
            ? t("Replace $INTEGRATION_SECRET with this integration's secret. The number becomes a contact.")
            : t('The number becomes a contact.')
        }
      />
      <p className="text-[0.8125rem] text-muted">
        {t(
          'New numbers create contacts with the source Webhook. For existing numbers, only the fields sent are updated.',
        )}{' '}
        <DocsLink to="hooks" />
      </p>
    </div>
  );
};
