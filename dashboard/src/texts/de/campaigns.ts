import type { Texts } from '../texts.ts';

export const campaigns: Texts = {
  '{status} · starts {time}': '{status} · startet {time}',
  Scheduled: 'Geplant',
  'The start must be in the future.': 'Der Start muss in der Zukunft liegen.',
  'The end must be in the future.': 'Das Ende muss in der Zukunft liegen.',
  'Enter a time.': 'Geben Sie eine Uhrzeit ein.',
  'Enter a whole number from {min} to {max}.': 'Geben Sie eine ganze Zahl von {min} bis {max} ein.',
  'A campaign needs an agent. Create one first.':
    'Eine Kampagne braucht einen Agenten. Erstellen Sie zuerst einen.',
  'Talks to contacts using its deployed version.':
    'Spricht mit Kontakten anhand der bereitgestellten Version.',
  'Go to campaigns': 'Zu den Kampagnen',
  'No unfinished campaigns. Create one first.': 'Keine laufenden Kampagnen. Erstellen Sie zuerst eine.',
  'Choose a campaign': 'Kampagne auswählen',
  "Contacts that are already enrolled don't change.": 'Bereits aufgenommene Kontakte bleiben unverändert.',
  'Tags must match exactly.': 'Schlagwörter müssen genau übereinstimmen.',
  Search: 'Suche',
  'Search by name, phone or email, as in the contact list.':
    'Suche nach Name, Telefon oder E-Mail wie in der Kontaktliste.',
  'Selected contacts': 'Ausgewählte Kontakte',
  'Remove {name}': '{name} entfernen',
  'Find contacts': 'Kontakte suchen',
  'Search by name, phone or email.': 'Suche nach Name, Telefon oder E-Mail.',
  'Matching contacts': 'Passende Kontakte',
  '# more matching contact. Keep typing to narrow the list.': {
    one: '# weiterer passender Kontakt. Tippen Sie weiter, um die Liste einzugrenzen.',
    other: '# weitere passende Kontakte. Tippen Sie weiter, um die Liste einzugrenzen.',
  },
  'By tag': 'Nach Schlagwort',
  'By search': 'Nach Suche',
  'By filter': 'Nach Filter',
  'These are the first {count}:': 'Dies sind die ersten {count}:',
  'Your own filter': 'Eigener Filter',
  'One by one': 'Einzeln',
  'Who to enroll': 'Wer wird aufgenommen?',
  'Delete campaign': 'Kampagne löschen',
  'It is active. Dialers get no more contacts.': 'Sie ist aktiv. Wählprogramme erhalten keine Kontakte mehr.',
  '# enrollment is deleted, with its status and outcome.': {
    one: '# Aufnahme wird mit Status und Ergebnis gelöscht.',
    other: '# Aufnahmen werden mit Status und Ergebnissen gelöscht.',
  },
  'No contacts are enrolled.': 'Es sind keine Kontakte aufgenommen.',
  'Contacts and calls remain.': 'Kontakte und Anrufe bleiben erhalten.',
  '{name} (copy)': '{name} (Kopie)',
  '{name} created.': '{name} erstellt.',
  'Duplicate {name}': '{name} duplizieren',
  'Duplicate campaign': 'Kampagne duplizieren',
  'The copy is a draft with the same agent, call window and attempts.':
    'Die Kopie ist ein Entwurf mit demselben Agenten, denselben Anrufzeiten und Versuchen.',
  'Enroll the same # contact as pending': {
    one: 'Denselben # Kontakt als ausstehend aufnehmen',
    other: 'Dieselben # Kontakte als ausstehend aufnehmen',
  },
  'The end must be later than the start.': 'Das Ende muss nach dem Start liegen.',
  'Choose at least one day.': 'Wählen Sie mindestens einen Tag.',
  'Results per day': 'Ergebnisse pro Tag',
  'Attempts per day': 'Versuche pro Tag',
  'Enrolled per day': 'Aufnahmen pro Tag',
  'Schedule saved.': 'Zeitplan gespeichert.',
  Schedule: 'Zeitplan',
  Start: 'Starten',
  'Start time': 'Startzeit',
  'Starts automatically. Time zone: {zone}': 'Startet automatisch. Zeitzone: {zone}',
  'End time': 'Ende',
  'Finishes automatically. Time zone: {zone}': 'Endet automatisch. Zeitzone: {zone}',
  'Call only at certain times': 'Nur zu bestimmten Zeiten anrufen',
  "In the contact's local time, which follows from the phone number. Contacts without a known time zone use {zone}.":
    'In der Ortszeit des Kontakts, die sich aus der Telefonnummer ergibt. Für Kontakte ohne bekannte Zeitzone gilt {zone}.',
  'Call window': 'Anrufzeiten',
  'Attempts per contact': 'Versuche pro Kontakt',
  'After the last one the contact has failed. Empty: no limit.':
    'Nach dem letzten gilt der Kontakt als fehlgeschlagen. Leer: unbegrenzt.',
  'Minutes between attempts': 'Mindestabstand der Versuche (Minuten)',
  'At least. Empty: none.': 'Leer: kein Mindestabstand.',
  'Edit campaign': 'Kampagne bearbeiten',
  'Status unchanged': 'Status unverändert',
  '# contact enrolled in {name}.': {
    one: '# Kontakt in {name} aufgenommen.',
    other: '# Kontakte in {name} aufgenommen.',
  },
  'Enroll contacts in {name}': 'Kontakte in {name} aufnehmen',
  'You can select at most {count} contacts at a time.':
    'Sie können höchstens {count} Kontakte auf einmal auswählen.',
  '# contact will be enrolled as pending.': {
    one: '# Kontakt wird als ausstehend aufgenommen.',
    other: '# Kontakte werden als ausstehend aufgenommen.',
  },
  '# contact selected.': { one: '# Kontakt ausgewählt.', other: '# Kontakte ausgewählt.' },
  '# matching contact.': { one: '# passender Kontakt.', other: '# passende Kontakte.' },
  'The # contact already enrolled keeps its status. New enrollments start as pending.': {
    one: 'Der # bereits aufgenommene Kontakt behält seinen Status. Neue Aufnahmen beginnen mit dem Status „Ausstehend“.',
    other:
      'Die # bereits aufgenommenen Kontakte behalten ihren Status. Neue Aufnahmen beginnen mit dem Status „Ausstehend“.',
  },
  'Status of {name}: {status}': 'Status von {name}: {status}',
  'Remove {name} from {campaign}?': '{name} aus {campaign} entfernen?',
  "The contact and its calls remain. The campaign has finished, so the contact can't be enrolled again.":
    'Der Kontakt und seine Anrufe bleiben erhalten. Die Kampagne ist beendet, der Kontakt kann nicht erneut aufgenommen werden.',
  'The contact and its calls remain. If you enroll it again, it starts as pending.':
    'Der Kontakt und seine Anrufe bleiben erhalten. Wenn Sie ihn erneut aufnehmen, beginnt er als ausstehend.',
  Due: 'Fällig',
  'Reserved for a dialer. If it does not report, the contact is due again then.':
    'Für ein Wählprogramm reserviert. Meldet es sich nicht, ist der Kontakt dann wieder fällig.',
  'Claimed, expires {time}': 'Reserviert, läuft ab {time}',
  Outcome: 'Ergebnis',
  Attempts: 'Versuche',
  'Next attempt': 'Nächster Versuch',
  Remove: 'Entfernen',
  'No pending enrollments': 'Keine ausstehenden Aufnahmen',
  'No enrollments in progress': 'Keine laufenden Aufnahmen',
  'No completed enrollments': 'Keine abgeschlossenen Aufnahmen',
  'No failed enrollments': 'Keine fehlgeschlagenen Aufnahmen',
  'No blocked enrollments': 'Keine blockierten Aufnahmen',
  'No skipped enrollments': 'Keine übersprungenen Aufnahmen',
  'Search enrolled contacts': 'Aufgenommene Kontakte durchsuchen',
  'Name or phone': 'Name oder Telefon',
  'Show all enrollments': 'Alle Aufnahmen anzeigen',
  'The contacts of the segment are enrolled in the background and appear here.':
    'Die Kontakte des Segments werden im Hintergrund aufgenommen und erscheinen hier.',
  'No contacts enrolled': 'Keine Kontakte aufgenommen',
  'Enroll contacts by tag, by search or one by one. They start as pending.':
    'Nehmen Sie Kontakte nach Schlagwort, nach Suche oder einzeln auf. Alle beginnen mit dem Status „Ausstehend“.',
  'This campaign has finished, so contacts can no longer be enrolled.':
    'Diese Kampagne ist beendet, es können keine Kontakte mehr aufgenommen werden.',
  Dialer: 'Wählprogramm',
  'Connect a dialer': 'Wählprogramm verbinden',
  'Roster calls no one itself. A dialer is your own program: it claims contacts from this campaign, calls them and reports the results.':
    'Roster ruft selbst niemanden an. Ein Wählprogramm ist Ihr eigenes Programm: Es reserviert Kontakte dieser Kampagne, ruft sie an und meldet die Ergebnisse.',
  'Address for claims (POST)': 'Adresse für Reservierungen (POST)',
  'Creates a key named {name} with only the scope {scope}, and shows it once.':
    'Erstellt einen Schlüssel namens {name}, der nur den Umfang {scope} hat, und zeigt ihn einmal an.',
  'Ask an owner of this workspace for an API key with the scope {scope}.':
    'Bitten Sie einen Inhaber dieses Arbeitsbereichs um einen API-Schlüssel mit dem Umfang {scope}.',
  'Program to begin with': 'Programm für den Anfang',
  'Shell with curl and jq': 'Shell mit curl und jq',
  'TypeScript with the SDK': 'TypeScript mit dem SDK',
  'Replace the marked function with your telephony. Then start it as often as you like.':
    'Ersetzen Sie die markierte Funktion durch Ihre Telefonie. Starten Sie es dann so oft, wie Sie möchten.',
  'No dialer has claimed a contact yet.': 'Noch kein Wählprogramm hat einen Kontakt reserviert.',
  'Last claim {time}.': 'Letzte Reservierung {time}.',
  'Last claim {time} by key {key}.': 'Letzte Reservierung {time} mit dem Schlüssel {key}.',
  'The call window is closed. It first opens {time}.':
    'Es ist gerade keine Anrufzeit. Die nächste beginnt {time}.',
  '# contact is pending.': { one: '# Kontakt steht aus.', other: '# Kontakte stehen aus.' },
  'Edit schedule': 'Zeitplan bearbeiten',
  'Set schedule': 'Zeitplan festlegen',
  'Enroll contacts': 'Kontakte aufnehmen',
  'Duplicate…': 'Duplizieren…',
  'Delete…': 'Löschen…',
  'The agent of this campaign was deleted. Choose another one to activate the campaign.':
    'Der Agent dieser Kampagne wurde gelöscht. Wählen Sie einen anderen, um die Kampagne zu aktivieren.',
  'The last {count} days in the time zone {zone}.': 'Die letzten {count} Tage in der Zeitzone {zone}.',
  'Contacts by status': 'Kontakte nach Status',
  'About {count} a day; done in about # day at this pace': {
    one: 'Etwa {count} pro Tag; bei diesem Tempo fertig in etwa # Tag',
    other: 'Etwa {count} pro Tag; bei diesem Tempo fertig in etwa # Tagen',
  },
  'Nothing happened in this period.': 'In diesem Zeitraum ist nichts geschehen.',
  'Someone else just changed this campaign. Review it and try again.':
    'Jemand hat diese Kampagne gerade geändert. Prüfen Sie sie und versuchen Sie es erneut.',
  'Every day': 'Täglich',
  'The campaign did not start as scheduled, because its agent had no deployed version. Deploy one, then start it or set a new time.':
    'Die Kampagne wurde nicht wie geplant gestartet, weil ihr Agent keine bereitgestellte Version hatte. Stellen Sie eine bereit, und starten Sie die Kampagne dann oder legen Sie eine neue Zeit fest.',
  'The campaign did not start as scheduled, because its agent was deleted. Choose another one, then start it or set a new time.':
    'Die Kampagne wurde nicht wie geplant gestartet, weil ihr Agent gelöscht wurde. Wählen Sie einen anderen, und starten Sie die Kampagne dann oder legen Sie eine neue Zeit fest.',
  started: 'gestartet',
  'status changed manually before': 'Status vorher manuell geändert',
  'not started': 'nicht gestartet',
  'The campaign did not start as scheduled, because Roster was not running until after its end. Set new times.':
    'Die Kampagne ist nicht wie geplant gestartet, weil Roster bis nach ihrem Ende nicht lief. Legen Sie neue Zeiten fest.',
  'local time': 'Ortszeit',
  'at most #': { one: 'höchstens #', other: 'höchstens #' },
  '# minute apart': { one: '# Minute Abstand', other: '# Minuten Abstand' },
  'No schedule: start and finish manually, contacts are called at any time.':
    'Kein Zeitplan: Sie starten und beenden manuell, Kontakte werden jederzeit angerufen.',
  'Start and end are in the time zone {zone}.': 'Start und Ende gelten in der Zeitzone {zone}.',
  'Open {name}': '{name} öffnen',
  "{name} has no deployed version, so it can't talk to anyone. Deploy one first.":
    '{name} hat keine bereitgestellte Version und kann mit niemandem sprechen. Stellen Sie zuerst eine bereit.',
  '# contact would be blocked, because the instructions use a value that it does not have.': {
    one: '# Kontakt wäre blockiert, weil die Anweisungen einen Wert verwenden, den er nicht hat.',
    other: '# Kontakte wären blockiert, weil die Anweisungen Werte verwenden, die sie nicht haben.',
  },
  'At least {count} contacts would be blocked, because the instructions use values that they do not have.':
    'Mindestens {count} Kontakte wären blockiert, weil die Anweisungen Werte verwenden, die sie nicht haben.',
  '# contact is blocked, because the instructions use a value that it does not have. It continues by itself when the value arrives.':
    {
      one: '# Kontakt ist blockiert, weil die Anweisungen einen Wert verwenden, den er nicht hat. Es geht von selbst weiter, sobald der Wert da ist.',
      other:
        '# Kontakte sind blockiert, weil die Anweisungen Werte verwenden, die sie nicht haben. Es geht von selbst weiter, sobald die Werte da sind.',
    },
  '# contact was skipped, because it was no longer in the audience when it was its turn. If it matches again, it returns to the queue.':
    {
      one: '# Kontakt wurde übersprungen, weil er nicht mehr zur Zielgruppe gehörte, als er an der Reihe war. Wenn er wieder passt, kommt er zurück in die Warteschlange.',
      other:
        '# Kontakte wurden übersprungen, weil sie nicht mehr zur Zielgruppe gehörten, als sie an der Reihe waren. Wer wieder passt, kommt zurück in die Warteschlange.',
    },
  'Missing:': 'Es fehlt:',
  'Show blocked': 'Blockierte anzeigen',
  'Show skipped': 'Übersprungene anzeigen',
  'Add to the contacts: {names}.': 'Ergänzen Sie bei den Kontakten: {names}.',
  'Set as variables of the enrollments, by updating them through the API (PATCH) or by an import into the campaign: {names}.':
    'Setzen Sie als Variablen der Aufnahmen, durch eine Änderung über die API (PATCH) oder einen Import in die Kampagne: {names}.',
  'Or add a fallback to the instructions:': 'Oder ergänzen Sie einen Ersatztext in den Anweisungen:',
  'The instructions have unknown variables, which contacts would hear: {names}':
    'Die Anweisungen enthalten unbekannte Variablen, die Kontakte hören würden: {names}',
  'Resume {name}?': '{name} fortsetzen?',
  'Start {name}?': '{name} starten?',
  'Resume campaign': 'Kampagne fortsetzen',
  'Start campaign': 'Kampagne starten',
  'Pause campaign': 'Kampagne pausieren',
  'Resume anyway': 'Trotzdem fortsetzen',
  'Start anyway': 'Trotzdem starten',
  'No contacts are enrolled yet. They are called as soon as you enroll them.':
    'Es sind noch keine Kontakte aufgenommen. Sie werden angerufen, sobald Sie sie aufnehmen.',
  '# contact is enrolled, {pending} of them pending.': {
    one: '# Kontakt ist aufgenommen, davon {pending} ausstehend.',
    other: '# Kontakte sind aufgenommen, davon {pending} ausstehend.',
  },
  '{name} talks to them using {version}.': '{name} spricht mit ihnen anhand von {version}.',
  'You can pause it at any time.': 'Sie können sie jederzeit pausieren.',
  "Couldn't check whether everything is ready. You can start anyway.":
    'Es konnte nicht geprüft werden, ob alles bereit ist. Sie können trotzdem starten.',
  Resume: 'Fortsetzen',
  Pause: 'Pausieren',
  '{name} is now a draft.': '{name} ist jetzt ein Entwurf.',
  '{name} is now active.': '{name} ist jetzt aktiv.',
  '{name} is now paused.': '{name} ist jetzt pausiert.',
  '{name} is now finished.': '{name} ist jetzt beendet.',
  Finish: 'Beenden',
  'Finish {name}?': '{name} beenden?',
  'Finish campaign': 'Kampagne beenden',
  '# enrollment is pending or in progress. Its status stays the same.': {
    one: '# Aufnahme ist ausstehend oder läuft. Ihr Status bleibt erhalten.',
    other: '# Aufnahmen sind ausstehend oder laufen. Ihr Status bleibt erhalten.',
  },
  'No enrollments are pending or in progress.': 'Keine Aufnahme ist ausstehend oder läuft.',
  'No more contacts can be enrolled. Existing enrollments remain.':
    'Es können keine weiteren Kontakte aufgenommen werden. Bestehende Aufnahmen bleiben erhalten.',
  "This can't be undone: a finished campaign can't be restarted.":
    'Das kann nicht rückgängig gemacht werden: Eine beendete Kampagne kann nicht neu gestartet werden.',
  'Enrollments to show': 'Angezeigte Aufnahmen',
  Active: 'Aktiv',
  Paused: 'Pausiert',
  Finished: 'Beendet',
  draft: 'Entwurf',
  active: 'aktiv',
  paused: 'pausiert',
  finished: 'beendet',
  pending: 'ausstehend',
  'in progress': 'laufend',
  completed: 'abgeschlossen',
  failed: 'fehlgeschlagen',
  blocked: 'blockiert',
  skipped: 'übersprungen',
  Blocked: 'Blockiert',
  Skipped: 'Übersprungen',
  'Missing: {names}': 'Es fehlt: {names}',
  'No longer in the audience': 'Gehört nicht mehr zur Zielgruppe',
  'Draft: not started yet': 'Entwurf: noch nicht gestartet',
  'Active: starts after you confirm': 'Aktiv: startet nach Ihrer Bestätigung',
  'Paused: ready to resume': 'Pausiert: kann fortgesetzt werden',
  'Create campaign': 'Kampagne erstellen',
  'Only your team sees this, e.g. Spring check-up.': 'Nur für Ihr Team sichtbar, z. B. Frühjahrsaktion.',
  'Choose an agent.': 'Wählen Sie einen Agenten.',
  'No contacts': 'Keine Kontakte',
  '# campaign': { one: '# Kampagne', other: '# Kampagnen' },
  'Enroll contacts and let an agent talk to them.':
    'Nehmen Sie Kontakte auf und lassen Sie einen Agenten mit ihnen sprechen.',
  'Search campaigns': 'Kampagnen durchsuchen',
  'No matching campaigns': 'Keine passenden Kampagnen',
  'Show all campaigns': 'Alle Kampagnen anzeigen',
  'No campaigns yet': 'Noch keine Kampagnen',
  'A campaign assigns contacts to an agent and tracks who was reached. Create one, then enroll contacts.':
    'Eine Kampagne ordnet Kontakte einem Agenten zu und zeigt, wer erreicht wurde. Erstellen Sie eine, und nehmen Sie dann Kontakte auf.',
};
