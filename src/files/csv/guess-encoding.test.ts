import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeText } from '../../../test/kit/imports/encodings.ts';
import { guessEncoding } from './guess-encoding.ts';

const PEOPLE: Record<string, readonly string[]> = {
  'windows-1250': ['Jiří Dvořák,Plzeň', 'Łukasz Wójcik,Łódź', 'Šárka Němcová,Brno', 'Gábor Szűcs,Győr', 'Zofia Żółtowska,Kraków'],
  'windows-1251': ['Иван Петров,Москва', 'Ольга Смирнова,Казань', 'Дмитрий Кузнецов,Самара', 'Анна Волкова,Омск'],
  'windows-1252': ['Zoë Müller,Köln', 'José García,Málaga', 'François Lefèvre,Orléans', 'Søren Jørgensen,Ålborg', 'João Gonçalves,São Paulo'],
  'windows-1253': ['Γιώργος Παπαδόπουλος,Αθήνα', 'Μαρία Νικολάου,Πάτρα', 'Ελένη Δημητρίου,Ηράκλειο'],
  'windows-1254': ['Ayşe Yılmaz,İstanbul', 'Gülşen Çelik,Eskişehir', 'Oğuz Şahin,Muğla', 'Işıl Doğan,Diyarbakır', 'Çağla Kılıç,Aydın', 'Barış Aydoğan,Adıyaman', 'Emine Yıldız,Şanlıurfa'],
  'windows-1255': ['יוסי כהן,תל אביב', 'שרה לוי,ירושלים', 'דוד מזרחי,חיפה', 'רחל פרץ,באר שבע', 'מיכל דהן,חולון'],
  'windows-1256': ['محمد أحمد,القاهرة', 'فاطمة علي,الرياض', 'خالد إبراهيم,دمشق', 'سارة محمود,الإسكندرية'],
  shift_jis: ['佐藤 太郎,東京', '鈴木 花子,大阪', '田中 さくら,名古屋', 'ヤマダ タロウ,札幌', '渡辺 美咲,京都'],
  'euc-jp': ['佐藤 太郎,東京', '鈴木 花子,大阪', '田中 さくら,名古屋', 'ヤマダ タロウ,札幌', '渡辺 美咲,京都'],
  gb18030: ['王伟,北京', '李娜,上海', '张强,广州', '刘洋,深圳', '陈静,成都', '杨磊,杭州', '赵敏,南京', '黄丽,武汉', '周杰,西安', '吴芳,重庆'],
  big5: ['陳怡君,台北', '林志明,高雄', '黃淑芬,台中', '張家豪,台南', '李雅婷,新竹', '王建宏,基隆'],
  'euc-kr': ['김민준,서울', '이서연,부산', '박지훈,대구', '최수진,인천', '정현우,광주'],
}; // biome-ignore format: a list

const fileOf = (people: readonly string[], encoding: string): Buffer => {
  const [names, cities] = [0, 1].map((at) => people.map((person) => person.split(',')[at] ?? '')) as [
    string[],
    string[],
  ];
  // Every person in every city.
  const rows = names.flatMap((name) => cities.map((city) => `${name},${city},+12025550100,p@example.com\n`));
  return encodeText(`Name,City,Phone,Email\n${rows.join('')}`, encoding);
};

test('The encoding of names and cities is detected among the common encodings', () => {
  for (const [encoding, people] of Object.entries(PEOPLE)) {
    assert.equal(guessEncoding(fileOf(people, encoding)).encoding, encoding, encoding);
  }
});

test('A detected encoding is certain only if no other gives a similarly likely text', () => {
  const isSure = (text: string, encoding: string) => guessEncoding(encodeText(text, encoding)).isSure;
  assert.equal(
    isSure('Иван Петров,Москва\nОльга Смирнова,Казань\nДмитрий Кузнецов,Самара\n', 'windows-1251'),
    true,
  );
  assert.equal(isSure('王伟\n', 'gb18030'), false);
});

test('Bytes that fit no encoding are read as Windows-1252, marked as a guess', () => {
  assert.deepEqual(guessEncoding(Buffer.from([0x41, 0x81, 0x8d, 0xff, 0x9d])), {
    encoding: 'windows-1252',
    isSure: false,
  });
});
