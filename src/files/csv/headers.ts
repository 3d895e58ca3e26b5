import { fold } from '../../lib/text.ts';

/** What a column can be: a field of a contact, the identity of the number in a legacy file, another number, which is used if
 *  the phone number is empty, or the contact's id in the CRM that the import names. */
export const fields = [
  'phone_number', 'other_phone', 'normalized_phone', 'first_name', 'last_name', 'display_name', 'email', 'company', 'notes', 'tags',
  'crm_ids',
] as const; // biome-ignore format: a list
export type Field = (typeof fields)[number];
/** A field of a contact, one that the workspace has defined, or a variable of the enrollment in a campaign. */
export type Target = Field | `fields.${string}` | `variables.${string}`;

/** Column names of each field, the best first, without case, spaces and punctuation: those of Google Contacts, Outlook,
 *  HubSpot and Salesforce, and common ones of other languages. */
const NAMES: Record<Exclude<Field, 'other_phone' | 'crm_ids'>, string> = {
  phone_number: `mobile mobilephone mobilephonenumber mobilenumber mobileno cell cellphone cellphonenumber cellnumber
    cellular whatsapp whatsappnumber whatsappphonenumber mobil mobiltelefon mobilnummer mobiltelefonnummer handy
    handynummer movil telefonomovil celular telefonocelular telephonemobile telephoneportable portable cellulare
    telefonocellulare telemovel telefoonmobiel mobiel gsm
    primaryphone primaryphonenumber phone phonenumber phoneno telephone telephonenumber telephoneno tel telno telnr
    phone1value phone1 phonenumber1 contactnumber contactphone contactphonenumber number msisdn mainphone telefon
    telefonnummer rufnummer telefono numerodetelefono telefone numerodetelephone telefoon telefoonnummer numero
    businessphone workphone workphonenumber businessphonenumber officephone telefongeschaftlich telefonodeltrabajo
    homephone homephonenumber privatephone telefonprivat telefonoparticular
    companymainphone companyphone businessphone2 homephone2 carphone otherphone otherphonenumber callback`,
  normalized_phone: `normalizedphone normalizedphonenumber phonenormalized phonenumbernormalized normalizednumber
    e164 phonee164 phonenumbere164 e164phone e164number`,
  first_name: `firstname givenname forename contactfirstname fname first vorname prenom nombre nombres primernombre nome
    voornaam fornamn`,
  last_name: `lastname familyname surname contactlastname lname last nachname familienname nom nomdefamille apellido
    apellidos cognome sobrenome apelido achternaam efternamn`,
  display_name: `displayname fullname contactfullname name contactname customername clientname leadname completename
    anzeigename nombrecompleto nomcomplet nomecompleto contact nickname fileas`,
  email: `email emailaddress email1value email1address email1 emailaddress1 primaryemail primaryemailaddress mail
    mailaddress contactemail workemail businessemail homeemail personalemail otheremail emailadresse mailadresse
    correo correoelectronico adresseemail adressemail courriel indirizzoemail`,
  company: `company companyname organization organisation organizationname organisationname organization1name
    organisation1name accountname accountaccountname associatedcompany associatedcompanyname primaryassociatedcompany
    primarycompany employer businessname firm firma firmenname unternehmen empresa azienda societe entreprise bedrijf
    bedrijfsnaam`,
  notes: `notes note comments comment remarks remark description contactdescription contactnotes notizen notiz
    bemerkungen bemerkung kommentar notas observaciones commentaires commentaire remarques opmerkingen`,
  tags: `tags tag labels categories groupmembership groups category segments lists keywords kategorien kategorie
    schlagworte etiquetas etiquettes categorias categorie gruppen`,
};

const FIELD_BY_NAME = new Map<string, { field: Field; rank: number }>();
for (const [field, names] of Object.entries(NAMES)) {
  for (const [rank, name] of names.split(/\s+/).entries())
    FIELD_BY_NAME.set(name, { field: field as Field, rank });
}

const NUMBERED = /^(phone|email)(?:address|number)?(\d+)(?:value|address|number)?$/;
const PHONE_WORD = /^(?:phones?|mobile|cell|cellphone|telephone|tel|telefon|telefono|whatsapp|handy)$/;
const EMAIL_WORD = /^(?:emails?|mail)$/;
/** Words of columns that describe a number or address, or that belong to someone other than the contact. */
const QUALIFIERS = new Set(
  `id ids uuid guid key date dates time timestamp created modified updated type label labels fax pager telex isdn
  extension ext country code status verified opt optin optout consent owner assistant assistants asst spouse manager
  domain count display bounce bounced quarantined`.split(/\s+/),
);
/** Words of columns with digits that are not phone numbers. */
const OTHER_DIGITS = new Set(
  `birthday birthdate anniversary zip postal postcode score amount price revenue latitude longitude ip account order
  invoice customer tax vat ssn iban serial reference year age government organizational`.split(/\s+/),
);
const OTHER_ENDING = /(?:id|date|fax|time|code)$/;

/** Longer headers are not matched. */
const MAX_NAME_LENGTH = 100;

const wordsOf = (header: string): string[] => {
  if (header.length > MAX_NAME_LENGTH) return [];
  return fold(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/e-mail/gi, 'email'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
};

/** A header without case, spaces and punctuation. */
export const plainName = (header: string, separator = ''): string => wordsOf(header).join(separator);

const isQualified = (words: string[]): boolean =>
  words.some((word) => QUALIFIERS.has(word) || OTHER_ENDING.test(word));

/** Whether a header names data other than a contact's phone number or email. */
export const namesOtherData = (header: string): boolean => {
  const words = wordsOf(header);
  return isQualified(words) || words.some((word) => OTHER_DIGITS.has(word));
};

/** The rank of a name that merely contains a word of the field. */
const LOOSE_RANK = 1e6;

/** Whether the whole text is a name of a field. */
export const isFieldName = (text: string): boolean => (namedField(text)?.rank ?? LOOSE_RANK) < LOOSE_RANK;

/** Names of numbers that several contacts share, or that may not be phone numbers. */
const DOUBTFUL = /^(?:company|callback|number$|numero$)/;

export const namesOwnPhone = (header: string): boolean =>
  isFieldName(header) &&
  namedField(header)?.field === 'phone_number' &&
  !DOUBTFUL.test(wordsOf(header).join(''));

/** The field that a header names, and how well: the lower the rank, the better. */
export const namedField = (header: string): { field: Field; rank: number } | undefined => {
  const own = fields.find((field) => field === header.trim());
  // Its CRM is unknown.
  if (own === 'crm_ids') return undefined;
  if (own) return { field: own, rank: -1 };
  const words = wordsOf(header);
  const name = words.join('');
  const known = FIELD_BY_NAME.get(name);
  if (known) return known;
  const numbered = NUMBERED.exec(name);
  if (numbered)
    return { field: numbered[1] === 'phone' ? 'phone_number' : 'email', rank: 1_000 + Number(numbered[2]) };
  if (isQualified(words)) return undefined;
  if (words.some((word) => EMAIL_WORD.test(word))) return { field: 'email', rank: LOOSE_RANK };
  if (words.some((word) => PHONE_WORD.test(word))) return { field: 'phone_number', rank: LOOSE_RANK };
  return undefined;
};
