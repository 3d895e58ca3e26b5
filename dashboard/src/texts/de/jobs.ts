import type { Texts } from '../texts.ts';

export const jobs: Texts = {
  'Open campaign': 'Kampagne öffnen',
  'Tag contacts': 'Schlagwörter von Kontakten ändern',
  'Rename a tag': 'Ein Schlagwort umbenennen',
  'Set fields of contacts': 'Felder von Kontakten setzen',
  'Delete contacts': 'Kontakte löschen',
  Jobs: 'Vorgänge',
  'Jobs, {percent}% done': 'Vorgänge, {percent} % erledigt',
  '{job}: {percent}% done': '{job}: {percent} % erledigt',
  'Show details': 'Details anzeigen',
  'Changes of many contacts run on the server. You can leave this page.':
    'Änderungen an vielen Kontakten laufen auf dem Server. Sie können diese Seite verlassen.',
  'No jobs in the last 30 days': 'Keine Vorgänge in den letzten 30 Tagen',
  Running: 'Läuft',
  Progress: 'Fortschritt',
  'Cancel: {job}': 'Abbrechen: {job}',
  Download: 'Herunterladen',
  'Show contacts': 'Kontakte anzeigen',
  'and # more': { one: 'und # weiterer', other: 'und # weitere' },
  '# needed no change.': { one: '# brauchte keine Änderung.', other: '# brauchten keine Änderung.' },
  '# no longer exists.': { one: '# gibt es nicht mehr.', other: '# gibt es nicht mehr.' },
  "# contact couldn't be updated:": {
    one: '# Kontakt konnte nicht geändert werden:',
    other: '# Kontakte konnten nicht geändert werden:',
  },
  'Rename tag “{tag}” to “{to}”': 'Schlagwort „{tag}“ in „{to}“ umbenennen',
  'Delete tag “{tag}”': 'Schlagwort „{tag}“ löschen',
  'Delete # contact': { one: '# Kontakt löschen', other: '# Kontakte löschen' },
  'Enroll # contact': { one: '# Kontakt aufnehmen', other: '# Kontakte aufnehmen' },
  'Export # contact': { one: '# Kontakt exportieren', other: '# Kontakte exportieren' },
  'Tag # contact': { one: 'Schlagwörter von # Kontakt ändern', other: 'Schlagwörter von # Kontakten ändern' },
  'Set fields of # contact': { one: 'Felder von # Kontakt setzen', other: 'Felder von # Kontakten setzen' },
  'Fields set for # contact.': {
    one: 'Felder von # Kontakt gesetzt.',
    other: 'Felder von # Kontakten gesetzt.',
  },
  'Canceled after # contact. Finished changes remain.': {
    one: 'Nach # Kontakt abgebrochen. Erledigte Änderungen bleiben erhalten.',
    other: 'Nach # Kontakten abgebrochen. Erledigte Änderungen bleiben erhalten.',
  },
  '# contact deleted.': { one: '# Kontakt gelöscht.', other: '# Kontakte gelöscht.' },
  'Tag renamed on # contact.': {
    one: 'Schlagwort bei # Kontakt umbenannt.',
    other: 'Schlagwort bei # Kontakten umbenannt.',
  },
  'Tags updated for # contact.': {
    one: 'Schlagwörter von # Kontakt geändert.',
    other: 'Schlagwörter von # Kontakten geändert.',
  },
  '# contact enrolled in {campaign}.': {
    one: '# Kontakt in {campaign} aufgenommen.',
    other: '# Kontakte in {campaign} aufgenommen.',
  },
  '# contact enrolled.': { one: '# Kontakt aufgenommen.', other: '# Kontakte aufgenommen.' },
  '# was already enrolled.': {
    one: '# war bereits aufgenommen.',
    other: '# waren bereits aufgenommen.',
  },
  'Enter a tag to add or remove.': 'Geben Sie ein Schlagwort zum Hinzufügen oder Entfernen ein.',
  'Update tags': 'Schlagwörter ändern',
  'Tags to add': 'Hinzuzufügende Schlagwörter',
  'Press Enter or comma to add a tag. New tags are added after existing ones.':
    'Enter oder Komma fügt ein Schlagwort hinzu. Neue folgen nach den vorhandenen.',
  'Tags to remove': 'Zu entfernende Schlagwörter',
  'Only tags that contacts have.': 'Nur Schlagwörter, die Kontakte haben.',
  'No contact has these tags: {tags}. Remove them here, or choose tags from the list.':
    'Kein Kontakt hat diese Schlagwörter: {tags}. Entfernen Sie sie hier, oder wählen Sie welche aus der Liste.',
  "You can't add and remove the same tag: {tags}.":
    'Ein Schlagwort kann nicht zugleich hinzugefügt und entfernt werden: {tags}.',
  Enroll: 'Aufnehmen',
  'Delete # contact?': { one: '# Kontakt löschen?', other: '# Kontakte löschen?' },
  'They are permanently deleted, along with their tags, notes and CRM IDs.':
    'Sie werden endgültig gelöscht, mit Schlagwörtern, Notizen und CRM-IDs.',
  'Their campaign enrollments are removed.': 'Ihre Aufnahmen in Kampagnen werden entfernt.',
  'Their calls and messages remain, without the name and number.':
    'Ihre Anrufe und Nachrichten bleiben ohne Namen und Nummer erhalten.',
  'You can undo it for ten seconds, while you stay on this page.':
    'Sie können es zehn Sekunden lang rückgängig machen, solange Sie auf dieser Seite bleiben.',
  'Export them first': 'Vorher exportieren',
  'These contacts are being deleted': 'Diese Kontakte werden gelöscht',
  'Undo changes of contacts': 'Änderungen an Kontakten rückgängig machen',
  'Undo changes of # contact': {
    one: 'Änderungen an # Kontakt rückgängig machen',
    other: 'Änderungen an # Kontakten rückgängig machen',
  },
  '# contact restored.': { one: '# Kontakt wiederhergestellt.', other: '# Kontakte wiederhergestellt.' },
  '# was changed since and keeps that.': {
    one: '# wurde seitdem geändert und behält das.',
    other: '# wurden seitdem geändert und behalten das.',
  },
  '# contact was changed since:': {
    one: '# Kontakt wurde seitdem geändert:',
    other: '# Kontakte wurden seitdem geändert:',
  },
  'Undo: {job}': 'Rückgängig: {job}',
  'Undo this job?': 'Diesen Vorgang rückgängig machen?',
  'What the job changed in # contact is restored.': {
    one: 'Was der Vorgang an # Kontakt geändert hat, wird wiederhergestellt.',
    other: 'Was der Vorgang an # Kontakten geändert hat, wird wiederhergestellt.',
  },
  'What someone has changed since stays, and is counted.':
    'Was seitdem geändert wurde, bleibt und wird gezählt.',
  'Contacts that a dialer has claimed stay enrolled.':
    'Kontakte, die ein Wählprogramm reserviert hat, bleiben aufgenommen.',
  delete: 'löschen',
  'The # selected contact.': { one: 'Der # ausgewählte Kontakt.', other: 'Die # ausgewählten Kontakte.' },
  'The # contact that matches your filters.': {
    one: 'Der # Kontakt, der Ihren Filtern entspricht.',
    other: 'Alle # Kontakte, die Ihren Filtern entsprechen, auch auf anderen Seiten.',
  },
  'The # contact of the workspace.': {
    one: 'Der # Kontakt des Arbeitsbereichs.',
    other: 'Alle # Kontakte des Arbeitsbereichs.',
  },
  'Except # that you deselected.': {
    one: 'Ausgenommen # abgewählter.',
    other: 'Ausgenommen # abgewählte.',
  },
  'All {total} except {count}': 'Alle {total} außer {count}',
  'You can pick at most {max} contacts. Use a filter and select all matching contacts.':
    'Sie können höchstens {max} Kontakte einzeln auswählen. Filtern Sie die Liste und wählen Sie alle Treffer aus.',
  'You can deselect at most {max} contacts. Use a filter instead.':
    'Sie können höchstens {max} Kontakte abwählen. Verwenden Sie stattdessen einen Filter.',
  'Select page': 'Seite auswählen',
  'Select all matching': 'Alle Treffer auswählen',
  'Select all {total}': 'Alle {total} auswählen',
  'Select all {total} matching': 'Alle {total} Treffer auswählen',
  Selection: 'Auswahl',
  '# selected': { one: '# ausgewählt', other: '# ausgewählt' },
  'Clear selection': 'Auswahl aufheben',
};
