import type { Texts } from '../texts.ts';

export const fields: Texts = {
  Fields: 'Felder',
  'Create field': 'Feld erstellen',
  Number: 'Zahl',
  'No fields yet': 'Noch keine Felder',
  'What your team and your agents know about a contact besides the name and number. Fields are columns of the list and variables of instructions.':
    'Was Ihr Team und Ihre Agenten außer Name und Nummer über einen Kontakt wissen. Felder sind Spalten der Liste und Variablen der Anweisungen.',
  'For example, with a field “Renewal date” an agent can say “Your contract ends on {variable}”, and you can call everyone whose contract ends this month.':
    'Mit einem Feld „Vertragsende“ kann ein Agent zum Beispiel sagen „Ihr Vertrag endet am {variable}“, und Sie können alle anrufen, deren Vertrag diesen Monat endet.',
  'You have {count} of {max} fields. Erase one to create another.':
    'Sie haben {count} von {max} Feldern. Löschen Sie eines, um ein anderes zu erstellen.',
  Label: 'Bezeichnung',
  'What your team sees, for example Renewal date.': 'Was Ihr Team sieht, zum Beispiel Vertragsende.',
  'Enter a label.': 'Geben Sie eine Bezeichnung ein.',
  'Enter a key, for example renewal_date.': 'Geben Sie einen Schlüssel ein, zum Beispiel renewal_date.',
  "The key can't be changed.": 'Der Schlüssel kann nicht geändert werden.',
  "The name in instructions, in the API and in files. It can't be changed later.":
    'Der Name in Anweisungen, in der API und in Dateien. Er kann später nicht geändert werden.',
  "The type can't be changed.": 'Der Typ kann nicht geändert werden.',
  Text: 'Text',
  'Yes or no': 'Ja oder nein',
  'Date and time': 'Datum und Uhrzeit',
  Choice: 'Auswahl',
  'At most 2,000 characters.': 'Höchstens 2.000 Zeichen.',
  'Whole or with decimals, for example a balance.':
    'Ganz oder mit Nachkommastellen, zum Beispiel ein Kontostand.',
  'For example whether someone agreed to something.': 'Zum Beispiel, ob jemand einer Sache zugestimmt hat.',
  'A day, for example of a renewal.': 'Ein Tag, zum Beispiel das Vertragsende.',
  "A moment, for example of an appointment. Agents get it in the contact's time zone.":
    'Ein Zeitpunkt, zum Beispiel ein Termin. Agenten erhalten ihn in der Zeitzone des Kontakts.',
  'One of the options that you list.': 'Eine der Optionen, die Sie aufzählen.',
  'A web address that starts with https:// or http://.':
    'Eine Webadresse, die mit https:// oder http:// beginnt.',
  Options: 'Optionen',
  'One per line, at most 100.': 'Eine pro Zeile, höchstens 100.',
  'One per line. Options can be added and reordered, but not removed.':
    'Eine pro Zeile. Optionen können ergänzt und umsortiert, aber nicht entfernt werden.',
  'Enter at least one option.': 'Geben Sie mindestens eine Option ein.',
  Filterable: 'Filterbar',
  '{max} fields are filterable, which is the maximum.': '{max} Felder sind filterbar; das ist das Maximum.',
  'Finds contacts by this field quickly, also among a million. {count} of {max} in use.':
    'Findet Kontakte schnell nach diesem Feld, auch unter einer Million. {count} von {max} verwendet.',
  'Field saved.': 'Feld gespeichert.',
  '{label} created.': '{label} erstellt.',
  '{label} restored.': '{label} wiederhergestellt.',
  '{label} archived.': '{label} archiviert.',
  '{label} deleted.': '{label} gelöscht.',
  'Archive {label}?': '{label} archivieren?',
  'Archive field': 'Feld archivieren',
  'Archive…': 'Archivieren …',
  Restore: 'Wiederherstellen',
  'It disappears from contacts, lists and the instructions editor.':
    'Es verschwindet aus Kontakten, Listen und dem Editor für Anweisungen.',
  'In drafts of instructions, {name} becomes an unknown variable.':
    'In Entwürfen von Anweisungen wird {name} zu einer unbekannten Variablen.',
  'Its values are kept, and you can restore it. If no contact has a value, it is deleted.':
    'Seine Werte bleiben erhalten, und Sie können es wiederherstellen. Hat kein Kontakt einen Wert, wird es gelöscht.',
  'Erase values…': 'Werte löschen …',
  'Erase values': 'Werte löschen',
  'Erase all values of {label}?': 'Alle Werte von {label} löschen?',
  'The field and its values are removed from every contact.':
    'Das Feld und seine Werte werden bei jedem Kontakt entfernt.',
  'The values of {label} are being erased.': 'Die Werte von {label} werden gelöscht.',
  'Your workspace has no fields of its own yet, such as a plan or a renewal date.':
    'Ihr Arbeitsbereich hat noch keine eigenen Felder, zum Beispiel Tarif oder Vertragsende.',
  'Create fields in Settings': 'Felder in den Einstellungen erstellen',
  'Enter a number without thousands separators, for example {example}.':
    'Geben Sie eine Zahl ohne Tausendertrennzeichen ein, zum Beispiel {example}.',
  'Time zone: {zone}': 'Zeitzone: {zone}',
};
