import type { Texts } from '../texts.ts';

export const tags: Texts = {
  'Labels that group your contacts.': 'Begriffe, die Ihre Kontakte gruppieren.',
  '# tag': { one: '# Schlagwort', other: '# Schlagwörter' },
  Actions: 'Aktionen',
  'Rename {tag}': '{tag} umbenennen',
  'Delete {tag}': '{tag} löschen',
  'These tags differ only in case or accents. Merge the ones that mean the same.':
    'Diese Schlagwörter unterscheiden sich nur in Groß- und Kleinschreibung oder Akzenten. Führen Sie zusammen, was dasselbe bedeutet.',
  'Merge {tag} with another tag': '{tag} mit einem anderen Schlagwort zusammenführen',
  'Merge tag “{tag}”': 'Schlagwort „{tag}“ zusammenführen',
  'Tag to keep': 'Schlagwort, das bleibt',
  'Choose the tag to keep.': 'Wählen Sie das Schlagwort, das bleibt.',
  '# tag differs from another only in case or accents.': {
    one: '# Schlagwort unterscheidet sich von einem anderen nur in Groß- und Kleinschreibung oder Akzenten.',
    other: '# Schlagwörter unterscheiden sich nur in Groß- und Kleinschreibung oder Akzenten.',
  },
  Review: 'Ansehen',
  'Show all tags': 'Alle Schlagwörter anzeigen',
  'Search tags': 'Schlagwörter suchen',
  'No matching tags': 'Keine passenden Schlagwörter',
  'No tags yet': 'Noch keine Schlagwörter',
  'Tag contacts in the list or in an import. Tags appear here with the number of contacts.':
    'Vergeben Sie Schlagwörter in der Liste oder beim Import. Sie erscheinen hier mit der Zahl der Kontakte.',
  'Delete tag “{tag}”?': 'Schlagwort „{tag}“ löschen?',
  'Delete tag': 'Schlagwort löschen',
  'The tag is removed from all contacts that have it.':
    'Das Schlagwort wird von allen Kontakten entfernt, die es haben.',
  'The tag is removed from # contact. The contact remains.': {
    one: 'Das Schlagwort wird von # Kontakt entfernt. Der Kontakt bleibt erhalten.',
    other: 'Das Schlagwort wird von # Kontakten entfernt. Die Kontakte bleiben erhalten.',
  },
  'Enter a name that differs from the old one.': 'Geben Sie einen anderen Namen als den bisherigen ein.',
  'Rename tag “{tag}”': 'Schlagwort „{tag}“ umbenennen',
  'Merge tags': 'Zusammenführen',
  Rename: 'Umbenennen',
  'New name': 'Neuer Name',
  '“{to}” already exists on # contact.': {
    one: '„{to}“ gibt es bereits bei # Kontakt.',
    other: '„{to}“ gibt es bereits bei # Kontakten.',
  },
  '# contact with “{tag}” will get this tag instead, and “{tag}” will be deleted.': {
    one: '# Kontakt mit „{tag}“ erhält stattdessen dieses Schlagwort, und „{tag}“ wird gelöscht.',
    other: '# Kontakte mit „{tag}“ erhalten stattdessen dieses Schlagwort, und „{tag}“ wird gelöscht.',
  },
  '# contact has this tag.': {
    one: '# Kontakt hat dieses Schlagwort.',
    other: '# Kontakte haben dieses Schlagwort.',
  },
  'The tag “{tag}” differs only in case and is on # contact.': {
    one: 'Das Schlagwort „{tag}“ unterscheidet sich nur in der Schreibweise; # Kontakt hat es.',
    other: 'Das Schlagwort „{tag}“ unterscheidet sich nur in der Schreibweise; # Kontakte haben es.',
  },
  'Merge with “{tag}”': 'Mit „{tag}“ zusammenführen',
};
