import type { Texts } from '../texts.ts';

export const contacts: Texts = {
  'Count all': 'Alle zählen',
  Enrolled: 'Aufgenommen',
  'Show contacts at {company}': 'Kontakte bei {company} anzeigen',
  '{name} added.': '{name} hinzugefügt.',
  'A contact with this phone number already exists.':
    'Ein Kontakt mit dieser Telefonnummer ist bereits vorhanden.',
  'No contacts yet': 'Noch keine Kontakte',
  'Contacts are the people your agents talk to. Add them one by one, or import a CSV or Excel file.':
    'Kontakte sind die Menschen, mit denen Ihre Agenten sprechen. Fügen Sie sie einzeln hinzu, oder importieren Sie eine CSV- oder Excel-Datei.',
  'No matching contacts': 'Keine passenden Kontakte',
  'Search covers names, phone numbers and emails. Tags and companies must match exactly.':
    'Die Suche umfasst Namen, Telefonnummern und E-Mails. Schlagwörter und Firmen müssen genau übereinstimmen.',
  'Matching contacts (CSV)': 'Passende Kontakte (CSV)',
  'Matching contacts (JSON Lines)': 'Passende Kontakte (JSON Lines)',
  'All contacts (CSV)': 'Alle Kontakte (CSV)',
  'All contacts (JSON Lines)': 'Alle Kontakte (JSON Lines)',
  'The people your agents talk to.': 'Die Menschen, mit denen Ihre Agenten sprechen.',
  'Search contacts': 'Kontakte suchen',
  'Search by name, phone or email': 'Nach Name, Telefon oder E-Mail suchen',
  '# legacy contact has conflicting phone numbers.': {
    one: '# alter Kontakt hat widersprüchliche Telefonnummern.',
    other: '# alte Kontakte haben widersprüchliche Telefonnummern.',
  },
  'Conflicting numbers': 'Widersprüchliche Nummern',
  'Legacy contacts that display one number but whose calls are matched by a different one. Open a contact to choose the right number.':
    'Alte Kontakte, die eine Nummer anzeigen, deren Anrufe aber über eine andere zugeordnet werden. Öffnen Sie einen Kontakt, um die richtige Nummer zu wählen.',
  'Contacts with conflicting numbers': 'Kontakte mit widersprüchlichen Nummern',
  'No conflicting numbers': 'Keine widersprüchlichen Nummern',
  'The calls of every contact are matched by the number it displays.':
    'Die Anrufe jedes Kontakts werden über die angezeigte Nummer zugeordnet.',
};
