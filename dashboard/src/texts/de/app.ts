import type { Texts } from '../texts.ts';

export const app: Texts = {
  'Search and filter: {list}': 'Suchen und filtern: {list}',
  "This sign-in link isn't valid": 'Dieser Anmeldelink ist ungültig',
  'This link has expired or was already used. Sign in with your password, or ask for a new link.':
    'Dieser Link ist abgelaufen oder wurde schon benutzt. Melden Sie sich mit Ihrem Passwort an oder bitten Sie um einen neuen Link.',
  'Go to sign-in': 'Zur Anmeldung',
  'Welcome to Roster': 'Willkommen bei Roster',
  'Signing you in…': 'Sie werden angemeldet…',
  'You are signed in as {email}. Choose a password for future sign-ins.':
    'Sie sind als {email} angemeldet. Wählen Sie ein Passwort für künftige Anmeldungen.',
  'Use at least {count} characters.': 'Verwenden Sie mindestens {count} Zeichen.',
  "The passwords don't match.": 'Die Passwörter stimmen nicht überein.',
  'New password': 'Neues Passwort',
  'At least {count} characters. A few words are easy to remember and hard to guess.':
    'Mindestens {count} Zeichen. Ein paar Wörter sind leicht zu merken und schwer zu erraten.',
  'Confirm password': 'Passwort bestätigen',
  'Set password': 'Passwort festlegen',
  'Add workspace': 'Arbeitsbereich hinzufügen',
  'Sign in to Roster': 'Bei Roster anmelden',
  'Sign in to another workspace. You stay signed in to the current one and can switch between them.':
    'Melden Sie sich bei einem weiteren Arbeitsbereich an. Sie bleiben im aktuellen angemeldet und können zwischen beiden wechseln.',
  "You'll return to the page you were on.": 'Danach kehren Sie zu Ihrer Seite zurück.',
  'Contacts and the agents that talk to them.': 'Kontakte und die Agenten, die mit ihnen sprechen.',
  'Back to the current workspace': 'Zurück zum aktuellen Arbeitsbereich',
  'You switched to another workspace in another tab.':
    'Sie haben in einem anderen Tab den Arbeitsbereich gewechselt.',
  Integrations: 'Integrationen',
  'Copy: {label}': 'Kopieren: {label}',
  'Settings: API keys': 'Einstellungen: API-Schlüssel',
  'Settings: Members': 'Einstellungen: Mitglieder',
  'Settings: Workspace': 'Einstellungen: Arbeitsbereich',
  'Settings: Account': 'Einstellungen: Konto',
  'Import contacts': 'Kontakte importieren',
  'Create integration': 'Integration erstellen',
  'Create API key': 'API-Schlüssel erstellen',
  'Add member': 'Mitglied hinzufügen',
  'Switch to light theme': 'Zum hellen Design wechseln',
  'Switch to dark theme': 'Zum dunklen Design wechseln',
  'Keyboard shortcuts': 'Tastenkürzel',
  'Sign out': 'Abmelden',
  'On this page': 'Auf dieser Seite',
  'Go to': 'Gehe zu',
  'Go to {page}': 'Gehe zu: {page}',
  'Recently opened': 'Zuletzt geöffnet',
  'Copy ID': 'ID kopieren',
  'Copy link to this page': 'Link zu dieser Seite kopieren',
  'Switch to {language}': 'Wechseln zu: {language}',
  'Command palette': 'Befehlspalette',
  'Search or run a command': 'Suchen oder Befehl ausführen',
  'Search contacts, agents, pages and actions…': 'Kontakte, Agenten, Seiten und Aktionen suchen…',
  Esc: 'Esc',
  Results: 'Ergebnisse',
  '# result': {
    one: '# Ergebnis',
    other: '# Ergebnisse',
  },
  'Searching…': 'Suche läuft…',
  'Connection lost. Your changes are safe. Reconnecting…':
    'Verbindung unterbrochen. Ihre Änderungen sind sicher. Verbindung wird wiederhergestellt…',
  'Retry now': 'Jetzt versuchen',
  'The webhook endpoint {url} was disabled. Events are no longer sent to it.':
    'Der Webhook-Endpunkt {url} wurde deaktiviert. Er erhält keine Ereignisse mehr.',
  '# webhook endpoint was disabled. Events are no longer sent to it.': {
    one: '# Webhook-Endpunkt wurde deaktiviert. Er erhält keine Ereignisse mehr.',
    other: '# Webhook-Endpunkte wurden deaktiviert. Sie erhalten keine Ereignisse mehr.',
  },
  'Review endpoint': 'Endpunkt prüfen',
  'Review endpoints': 'Endpunkte prüfen',
  "Someone else changed this campaign while you were editing. Your changes haven't been saved.":
    'Jemand hat diese Kampagne geändert, während Sie sie bearbeitet haben. Ihre Änderungen sind nicht gespeichert.',
  "Someone else changed this channel while you were editing. Your changes haven't been saved.":
    'Jemand hat diesen Kanal geändert, während Sie ihn bearbeitet haben. Ihre Änderungen sind nicht gespeichert.',
  "Someone else changed this endpoint while you were editing. Your changes haven't been saved.":
    'Jemand hat diesen Endpunkt geändert, während Sie ihn bearbeitet haben. Ihre Änderungen sind nicht gespeichert.',
  'Their version (saved)': 'Andere Version (gespeichert)',
  "Couldn't load this page": 'Diese Seite konnte nicht geladen werden',
  Roster: 'Roster',
  'Page not found': 'Seite nicht gefunden',
  "We couldn't find that page": 'Diese Seite gibt es nicht',
  'Go home': 'Zur Startseite',
  'The link may be wrong, or the item may have been deleted.':
    'Der Link ist falsch, oder der Eintrag wurde gelöscht.',
  'Reload page': 'Seite neu laden',
  "This couldn't be loaded. Reload the page and try again.":
    'Das konnte nicht geladen werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  "You're offline. This opens as soon as the connection is back.":
    'Sie sind offline. Das öffnet sich, sobald die Verbindung wieder da ist.',
  'Notices, # unread': {
    one: 'Benachrichtigungen, # ungelesen',
    other: 'Benachrichtigungen, # ungelesen',
  },
  Notices: 'Benachrichtigungen',
  'Import of {name} finished': 'Import von {name} abgeschlossen',
  'Import of {name} undone': 'Import von {name} rückgängig gemacht',
  'Import of {name} failed. Roster retries it automatically.':
    'Import von {name} fehlgeschlagen. Roster versucht es automatisch erneut.',
  'Campaign {name} finished': 'Kampagne {name} beendet',
  '{name}: finished': '{name}: abgeschlossen',
  '{name}: canceled': '{name}: abgebrochen',
  '{name}: failed': '{name}: fehlgeschlagen',
  'API key {name} expires on {date}': 'API-Schlüssel {name} läuft am {date} ab',
  'Webhook endpoint {name} was disabled': 'Webhook-Endpunkt {name} wurde deaktiviert',
  '# created': {
    one: '# erstellt',
    other: '# erstellt',
  },
  '# updated': {
    one: '# geändert',
    other: '# geändert',
  },
  '# unchanged': {
    one: '# unverändert',
    other: '# unverändert',
  },
  '# removed': {
    one: '# entfernt',
    other: '# entfernt',
  },
  '# restored': {
    one: '# wiederhergestellt',
    other: '# wiederhergestellt',
  },
  '# skipped (edited since)': {
    one: '# übersprungen (seither geändert)',
    other: '# übersprungen (seither geändert)',
  },
  '# pending': {
    one: '# ausstehend',
    other: '# ausstehend',
  },
  '# completed': {
    one: '# abgeschlossen',
    other: '# abgeschlossen',
  },
  '# blocked': {
    one: '# blockiert',
    other: '# blockiert',
  },
  '# done': {
    one: '# erledigt',
    other: '# erledigt',
  },
  '# changed': {
    one: '# geändert',
    other: '# geändert',
  },
  '# deleted': {
    one: '# gelöscht',
    other: '# gelöscht',
  },
  '# enrolled': {
    one: '# aufgenommen',
    other: '# aufgenommen',
  },
  '# removed from the campaign': {
    one: '# aus der Kampagne entfernt',
    other: '# aus der Kampagne entfernt',
  },
  '# still enrolled': {
    one: '# weiterhin aufgenommen',
    other: '# weiterhin aufgenommen',
  },
  '# skipped': {
    one: '# übersprungen',
    other: '# übersprungen',
  },
  Unread: 'Ungelesen',
  'Mark all as read': 'Alle als gelesen markieren',
  'No notices': 'Keine Benachrichtigungen',
  'Finished imports, campaigns and bulk changes appear here for 30 days.':
    'Abgeschlossene Importe, Kampagnen und Vorgänge erscheinen hier 30 Tage lang.',
  'Copy secret': 'Secret kopieren',
  "I've copied the secret": 'Ich habe das Secret kopiert',
  "Copy the secret now. You won't be able to see it again.":
    'Kopieren Sie das Secret jetzt. Sie können es nicht noch einmal sehen.',
  Key: 'Schlüssel',
  'Copy key': 'Schlüssel kopieren',
  "I've copied the key": 'Ich habe den Schlüssel kopiert',
  "Copy the key now. You won't be able to see it again.":
    'Kopieren Sie den Schlüssel jetzt. Sie können ihn nicht noch einmal sehen.',
  Link: 'Link',
  'Copy link': 'Link kopieren',
  "I've copied the link": 'Ich habe den Link kopiert',
  "Copy the link now. You won't be able to see it again.":
    'Kopieren Sie den Link jetzt. Sie können ihn nicht noch einmal sehen.',
  'Use it in every program that calls this channel.':
    'Verwenden Sie es in jedem Programm, das diesen Kanal aufruft.',
  'Requests that use the old secret will be rejected immediately.':
    'Anfragen mit dem alten Secret werden sofort abgelehnt.',
  'Use it in every program that calls this integration.':
    'Verwenden Sie es in jedem Programm, das diese Integration aufruft.',
  'Use it in every program that verifies events of this endpoint.':
    'Verwenden Sie es in jedem Programm, das Ereignisse dieses Endpunkts prüft.',
  'Events are no longer signed with the old secret, so programs that still use it reject them.':
    'Ereignisse werden nicht mehr mit dem alten Secret signiert. Programme, die es noch benutzen, lehnen sie ab.',
  'Old secret revoked.': 'Altes Secret widerrufen.',
  'This secret was rotated. The old secret works until {time}.':
    'Dieses Secret wurde erneuert. Das alte gilt bis {time}.',
  'Rotate the secret if it may have been exposed. The old one keeps working while you switch to the new one.':
    'Erneuern Sie das Secret, wenn es bekannt geworden sein könnte. Das alte gilt weiter, während Sie umstellen.',
  'Replace new secret': 'Neues Secret ersetzen',
  'Rotate secret': 'Secret erneuern',
  'Revoke old secret now': 'Altes Secret jetzt widerrufen',
  'Revoke the old secret for {name}?': 'Altes Secret von {name} widerrufen?',
  'Revoke old secret': 'Altes Secret widerrufen',
  'The new secret keeps working.': 'Das neue Secret bleibt gültig.',
  Immediately: 'Sofort',
  'In 1 hour': 'In 1 Stunde',
  'In 24 hours': 'In 24 Stunden',
  'In 7 days': 'In 7 Tagen',
  'New secret': 'Neues Secret',
  'The old secret works until {time}.': 'Das alte Secret gilt bis {time}.',
  'The old secret no longer works.': 'Das alte Secret ist nicht mehr gültig.',
  'Replace secret': 'Secret ersetzen',
  'The most recent secret stops working immediately. Replace it only if it was lost before anything used it.':
    'Das neueste Secret wird sofort ungültig. Ersetzen Sie es nur, wenn es verloren ging, bevor es benutzt wurde.',
  'Old secret expires': 'Altes Secret läuft ab',
  'Your session has ended': 'Ihre Sitzung ist abgelaufen',
  'Sign in again to continue where you left off. Your changes are still there.':
    'Melden Sie sich wieder an, um fortzufahren. Ihre Änderungen sind noch da.',
  'Open command palette': 'Befehlspalette öffnen',
  'Show keyboard shortcuts': 'Tastenkürzel anzeigen',
  'Undo last change': 'Letzte Änderung rückgängig machen',
  'Skip to main content': 'Zum Inhalt springen',
  'Open menu': 'Menü öffnen',
  Menu: 'Menü',
  'Close menu': 'Menü schließen',
  Tab: 'Tab',
  'Go to next control': 'Zum nächsten Element',
  'Submit dialog or form': 'Dialog oder Formular absenden',
  'Close dialog or menu': 'Dialog oder Menü schließen',
  System: 'System',
  Light: 'Hell',
  Dark: 'Dunkel',
  Main: 'Hauptmenü',
  Setup: 'Einrichtung',
  Theme: 'Design',
  Owner: 'Inhaber',
  'Enter your email.': 'Geben Sie Ihre E-Mail-Adresse ein.',
  'Enter your password.': 'Geben Sie Ihr Passwort ein.',
  'Incorrect email or password.': 'E-Mail-Adresse oder Passwort ist falsch.',
  'Only if you use this email in several workspaces.':
    'Nur wenn Sie diese E-Mail-Adresse in mehreren Arbeitsbereichen benutzen.',
  'Sign in': 'Anmelden',
  'Forgot your password?': 'Passwort vergessen?',
  'Ask an owner of your workspace for a sign-in link, or create one on the server: {command}':
    'Bitten Sie einen Inhaber Ihres Arbeitsbereichs um einen Anmeldelink, oder erstellen Sie einen auf dem Server: {command}',
  'You switched to another workspace': 'Sie haben den Arbeitsbereich gewechselt',
  'This page belongs to {workspace}. All tabs of a browser use the same workspace. Switch back to keep what you typed here.':
    'Diese Seite gehört zu {workspace}. Alle Tabs eines Browsers benutzen denselben Arbeitsbereich. Wechseln Sie zurück, um Ihre Eingaben hier zu behalten.',
  'Open the other workspace': 'Anderen Arbeitsbereich öffnen',
  'Switch back': 'Zurückwechseln',
  'Sign out?': 'Abmelden?',
  "Instructions that you haven't saved are removed from this browser.":
    'Anweisungen, die Sie nicht gespeichert haben, werden aus diesem Browser entfernt.',
  'Leave without saving?': 'Ohne Speichern verlassen?',
  Leave: 'Verlassen',
  Workspaces: 'Arbeitsbereiche',
  'Add workspace…': 'Arbeitsbereich hinzufügen…',
  'Rename workspace…': 'Arbeitsbereich umbenennen…',
};
