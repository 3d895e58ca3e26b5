import { getRouteApi } from '@tanstack/react-router';
import { useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Account } from './account.tsx';
import { Keys } from './keys/list.tsx';
import { Members } from './members/list.tsx';
import { tabs as names, type SettingsSearch } from './url-params.ts';
import { Workspace } from './workspace.tsx';

const route = getRouteApi('/app/settings');
const labels = {
  keys: t('API keys'),
  members: t('Members'),
  workspace: t('Workspace'),
  account: t('Account'),
} as const;

export const SettingsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { role } = useCurrentUser();
  const show = (next: SettingsSearch, replace: boolean) =>
    void navigate({ search: next, replace, ignoreBlocker: replace, resetScroll: false });
  const dialogState = (tab: 'keys' | 'members') => ({
    isAdding: search.add === true,
    onAdd: () => show({ tab, add: true }, false),
    onClose: () => show({ tab }, true),
  });
  const contents = {
    keys: <Keys {...dialogState('keys')} />,
    members: <Members {...dialogState('members')} />,
    workspace: <Workspace isOwner={role === 'owner'} />,
    account: <Account />,
  };
  const offered = names.filter((name) => role === 'owner' || name === 'workspace' || name === 'account');
  const fallback = role === 'owner' ? 'keys' : 'account';
  const value = search.tab && offered.includes(search.tab) ? search.tab : fallback;
  return (
    <Page title={t('Settings')}>
      <Tabs
        label={t('Settings')}
        tabs={offered.map((name) => ({ value: name, label: labels[name], content: contents[name] }))}
        value={value}
        onChange={(tab) => show({ tab }, false)}
      />
    </Page>
  );
};
