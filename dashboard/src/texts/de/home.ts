import type { Texts } from '../texts.ts';

export const home: Texts = {
  'This month': 'Dieser Monat',
  'Last month': 'Letzter Monat',
  '{change} vs. {from} – {to}': '{change} ggü. {from} – {to}',
  Home: 'Start',
  'Recent activity.': 'Neueste Aktivität.',
  'Recent activity. Days are in {zone}.': 'Neueste Aktivität. Tage gelten in der Zeitzone {zone}.',
  'Added manually': 'Manuell hinzugefügt',
  'Not completed': 'Nicht abgeschlossen',
  'Not ended yet': 'Noch nicht beendet',
  'no change': 'unverändert',
  '{difference} points': '{difference} Prozentpunkte',
  'Compared with {from} – {to}': 'Verglichen mit {from} – {to}',
  '{change} vs. the day before': {
    one: '{change} gegenüber dem Tag davor',
    other: '{change} gegenüber den # Tagen davor',
  },
  '{count} in # day': { one: '{count} an # Tag', other: '{count} in # Tagen' },
  '{count} from {from} to {to}': '{count} vom {from} bis {to}',
  'Deployed agents': 'Bereitgestellte Agenten',
  'Active campaigns': 'Aktive Kampagnen',
  'of {total}': 'von {total}',
  'Completed calls and messages, divided by all that ended: completed, busy, no answer, canceled or failed.':
    'Abgeschlossene Anrufe und Nachrichten, geteilt durch alle beendeten: abgeschlossen, besetzt, keine Antwort, abgebrochen oder fehlgeschlagen.',
  'No call has ended': 'Kein Anruf ist beendet',
  '{completed} of {ended} ended': '{completed} von {ended} beendeten',
  'Days shown': 'Angezeigte Tage',
  '# day': { one: '# Tag', other: '# Tage' },
  'Custom period': 'Eigener Zeitraum',
  Custom: 'Zeitraum …',
  'Choose at most {days} days.': 'Wählen Sie höchstens {days} Tage.',
  'New contacts by source': 'Neue Kontakte nach Quelle',
  Sources: 'Quellen',
  'No contacts added in this period.': 'In diesem Zeitraum wurden keine Kontakte hinzugefügt.',
  'Calls per day': 'Anrufe pro Tag',
  'No calls or messages in this period.': 'Keine Anrufe oder Nachrichten in diesem Zeitraum.',
  Day: 'Tag',
  Total: 'Gesamt',
  'Click or press Enter to list them': 'Klicken oder Eingabetaste drücken, um sie zu sehen',
  'Show as chart': 'Als Diagramm anzeigen',
  'Show as table': 'Als Tabelle anzeigen',
  '{title}, bar chart. Use the arrow keys to move between the bars.':
    '{title}, Balkendiagramm. Mit den Pfeiltasten wechseln Sie zwischen den Balken.',
  '{title}, table': '{title}, Tabelle',
  'Get started': 'Erste Schritte',
  '(done)': '(erledigt)',
  'Add or import contacts': 'Kontakte hinzufügen oder importieren',
  'The people your agents talk to, one by one or from a CSV or Excel file.':
    'Die Personen, mit denen Ihre Agenten sprechen: einzeln oder aus einer CSV- oder Excel-Datei.',
  'Create an agent': 'Einen Agenten erstellen',
  'Its instructions define what it says. They stay a draft until you deploy them.':
    'Die Anweisungen bestimmen, was er sagt. Sie bleiben ein Entwurf, bis Sie sie bereitstellen.',
  'A deployed version goes live on every channel its agent is connected to.':
    'Eine bereitgestellte Version ist auf jedem Kanal aktiv, mit dem ihr Agent verbunden ist.',
  'Import a file': 'Datei importieren',
  '{done} of {total} steps done.': '{done} von {total} Schritten erledigt.',
  'All done. Your agent is live.': 'Alles erledigt. Ihr Agent ist aktiv.',
  'Dismiss these steps': 'Diese Schritte ausblenden',
  'Deploy it': 'Bereitstellen',
  'The deployed version is the one that your channels use.':
    'Ihre Kanäle verwenden die bereitgestellte Version.',
  'Connect a channel': 'Einen Kanal verbinden',
  'Send a test call': 'Einen Testanruf senden',
  'Report a call as your runtime would. This step is ticked off when it arrives.':
    'Melden Sie einen Anruf, wie es Ihr Sprach- oder Chatdienst täte. Der Schritt wird abgehakt, sobald er eintrifft.',
  'Open channel': 'Kanal öffnen',
  'In a terminal': 'In einem Terminal',
  'Replace $CHANNEL_SECRET with the secret of the channel, which was shown when you created it.':
    'Ersetzen Sie $CHANNEL_SECRET durch das Geheimnis des Kanals, das beim Erstellen angezeigt wurde.',
  'Create an API key': 'Einen API-Schlüssel erstellen',
  'Create key': 'Schlüssel erstellen',
  'Your programs use it to read and write contacts, and to dial campaigns.':
    'Ihre Programme lesen und schreiben damit Kontakte und wählen Kampagnen an.',
  'Invite a colleague': 'Ein Teammitglied einladen',
  'Members work with contacts, agents and campaigns. Owners also manage access.':
    'Mitglieder arbeiten mit Kontakten, Agenten und Kampagnen. Inhaber verwalten außerdem den Zugriff.',
  'Just looking around?': 'Möchten Sie sich nur umsehen?',
  'The command line fills a workspace of its own, named demo, with people, agents, calls and campaigns, and prints a link to sign in to it. Yours is not changed. Removing it removes all of it.':
    'Die Befehlszeile füllt einen eigenen Arbeitsbereich namens demo mit Personen, Agenten, Anrufen und Kampagnen und gibt einen Anmeldelink aus. Ihr Arbeitsbereich bleibt unverändert. Beim Entfernen verschwindet alles davon.',
  'Load sample data': 'Beispieldaten laden',
  'Open sample data': 'Beispieldaten öffnen',
  'Sample data': 'Beispieldaten',
  'Loading sample data': 'Beispieldaten werden geladen',
  'Sample data fills a workspace of its own, named demo, with people, agents, calls and campaigns. All of it is fictional, and yours is not changed.':
    'Beispieldaten füllen einen eigenen Arbeitsbereich namens demo mit Personen, Agenten, Anrufen und Kampagnen. Alles davon ist erfunden, und Ihr Arbeitsbereich bleibt unverändert.',
  'The workspace demo is being filled. You can go on working.':
    'Der Arbeitsbereich demo wird gefüllt. Sie können weiterarbeiten.',
  'The sample data is in the workspace demo, which is in the menu of workspaces.':
    'Die Beispieldaten sind im Arbeitsbereich demo, der im Menü der Arbeitsbereiche steht.',
  'Someone else has loaded the sample data, in the workspace demo.':
    'Jemand anderes hat die Beispieldaten geladen, im Arbeitsbereich demo.',
  'The sample data is being removed.': 'Die Beispieldaten werden entfernt.',
  'This workspace has the sample data. To remove it, switch to your own one.':
    'Dieser Arbeitsbereich enthält die Beispieldaten. Um sie zu entfernen, wechseln Sie in Ihren eigenen.',
  'Remove the sample data?': 'Beispieldaten entfernen?',
  'The workspace demo is deleted, with everything that was added to it.':
    'Der Arbeitsbereich demo wird gelöscht, mit allem, was ihm hinzugefügt wurde.',
  'Remove sample data': 'Beispieldaten entfernen',
  'Needs attention': 'Braucht Aufmerksamkeit',
  'Nothing needs attention.': 'Nichts braucht Ihre Aufmerksamkeit.',
  'Disabled: events are no longer sent.': 'Deaktiviert: Es werden keine Ereignisse mehr gesendet.',
  'Deliveries fail. The first one failed {time}.': 'Zustellungen schlagen fehl, zuerst {time}.',
  'Contacts are due, but the last claim was {time}.':
    'Kontakte sind fällig, aber die letzte Reservierung war {time}.',
  'Contacts are due, but no dialer has claimed one yet.':
    'Kontakte sind fällig, aber noch kein Wählprogramm hat einen reserviert.',
  '# contact is blocked.': { one: '# Kontakt ist blockiert.', other: '# Kontakte sind blockiert.' },
  'This API key expires {time}.': 'Dieser API-Schlüssel läuft {time} ab.',
  'The old secret stops working {time}.': 'Das alte Geheimnis wird {time} ungültig.',
  'This import is not applied yet. Review its rows.':
    'Dieser Import ist noch nicht angewendet. Prüfen Sie seine Zeilen.',
  'This agent is deployed, but no channel is connected to it.':
    'Dieser Agent ist bereitgestellt, aber mit keinem Kanal verbunden.',
  'Calls by agent': 'Anrufe nach Agent',
  'Calls by channel': 'Anrufe nach Kanal',
  '# contact to create, {updated} to update': {
    one: '# Kontakt wird erstellt, {updated} aktualisiert',
    other: '# Kontakte werden erstellt, {updated} aktualisiert',
  },
  '# contact created, {updated} updated': {
    one: '# Kontakt erstellt, {updated} aktualisiert',
    other: '# Kontakte erstellt, {updated} aktualisiert',
  },
  '# contact removed, {restored} restored': {
    one: '# Kontakt entfernt, {restored} wiederhergestellt',
    other: '# Kontakte entfernt, {restored} wiederhergestellt',
  },
  'Recent imports': 'Letzte Importe',
  'All imports': 'Alle Importe',
  'No imports yet.': 'Noch keine Importe.',
  'Recent deploys': 'Letzte Bereitstellungen',
  'All agents': 'Alle Agenten',
  'No deploys yet.': 'Noch keine Bereitstellungen.',
  to: 'zu',
  'Default country set to {country}.': 'Standardland: {country}.',
  'Time zone set to {zone}.': 'Zeitzone: {zone}.',
  'Which country are your contacts in?': 'In welchem Land sind Ihre Kontakte?',
  'Which time zone do you work in?': 'In welcher Zeitzone arbeiten Sie?',
  'Phone numbers without a country code are assumed to be in this country.':
    'Telefonnummern ohne Landesvorwahl gelten als Nummern dieses Landes.',
  'Days and schedules follow the time zone.': 'Tage und Zeitpläne richten sich nach der Zeitzone.',
  'You can change this in Settings.': 'Sie können dies in den Einstellungen ändern.',
  'Save country': 'Land speichern',
  'Not now': 'Nicht jetzt',
  'Days of charts and filters, and the schedules of campaigns, are in this time zone.':
    'Tage in Diagrammen und Filtern sowie die Zeitpläne der Kampagnen gelten in dieser Zeitzone.',
  'Save time zone': 'Zeitzone speichern',
};
