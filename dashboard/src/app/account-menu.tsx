import { Keyboard, Languages, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from '../api/store.ts';
import { language, languageName, languages, t } from '../lib/i18n.ts';
import MenuContent from '../ui/menu-content.tsx';
import { requestSignOut } from './current-user.ts';
import { switchLanguage } from './switch-language.ts';
import { chooseTheme, type Theme, theme, themes } from './theme.ts';

const themeNames: Record<Theme, string> = {
  system: t('System'),
  light: t('Light'),
  dark: t('Dark'),
};
const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;

/** Theme, language, help and the end of the session. */
const AccountMenu = ({ trigger, onHelp }: { readonly trigger: ReactNode; readonly onHelp: () => void }) => {
  const chosen = useStore(theme);
  return (
    <MenuContent
      align="start"
      header={<span className="text-xs text-muted">{t('Theme')}</span>}
      trigger={trigger}
      items={[
        ...themes.map((each) => {
          const Icon = themeIcons[each];
          return {
            label: themeNames[each],
            icon: <Icon aria-hidden />,
            chosen: each === chosen,
            onSelect: () => chooseTheme(each),
          };
        }),
        null,
        ...languages.map((each) => ({
          label: <span lang={each}>{languageName(each)}</span>,
          icon: <Languages aria-hidden />,
          chosen: each === language,
          onSelect: () => switchLanguage(each),
        })),
        null,
        { label: t('Keyboard shortcuts'), icon: <Keyboard aria-hidden />, onSelect: onHelp },
        { label: t('Sign out'), icon: <LogOut aria-hidden />, onSelect: requestSignOut },
      ]}
    />
  );
};

export default AccountMenu;
