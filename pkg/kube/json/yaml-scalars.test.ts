import { expect } from 'chai';
import { ApiError } from '../status/status.js';
import { parseYaml } from './yaml.js';

/** The value of `a: TEXT`, or the message of its refusal. */
function read(text: string): unknown {
  try {
    return (parseYaml(`a: ${text}\n`, { depth: 10, values: 10 }).value as { a: unknown }).a;
  } catch (error) {
    if (error instanceof ApiError && error.code === 400) return `refused: ${error.message}`;
    throw error;
  }
}

const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/** What sigs.k8s.io/yaml 1.6.0 makes of each scalar: its answers, and not those of a specification. */
describe('a scalar of YAML', () => {
  const TEXTS = words(
    '0x_ 0b_ 0o_ 0x 0b 0o 0xg 0x1p4 0x1.8p1 0b2 -0b_ 0b102 0o8 _1 _ 1e ._5 .5_ . .. .e3 .iNf .Nan inf nan Inf NaN Infinity infinity +nan 12:30',
    '1:30:45 190:20:30 -1:30 1:30.5 0:0 2001-01-01 2001-1-1 2001-12-14t21:59:43.10-05:00 2001-12-14T21:59:43Z 20:30:15 yEs oN tRue nUll ~~ Null_',
    '<< = 0x1FFFFFFFFFFFFFFFF 0o7777777777777777777777 1,000 1.2.3 1-2 +-1 --1 ++1 0-1 0x-1 -0b-1 0o-17 0o+7 _0x1 1d 1f ١ 0b1e3 1e3.5',
  );

  /** TEXT=VALUE. */
  const NUMBERS = words(
    '0=0 -0=0 +0=0 0_=0 0__=0 +0_=0 -0_=0 0_0=0 0x1_=1 0xF=15 0xFF=255 0XFF=255 0x_F=15 -0xF=-15 +0xF=15 0b1=1 0b_1=1 0b1_0=2 0B1=1 -0b1=-1',
    '+0b1=1 0o17=15 0o_17=15 0o1_7=15 0O17=15 -0o17=-15 +0o17=15 0o644=420 0o0=0 0777=511 0_777=511 07_7=63 -0777=-511 +0777=511 08=8 09=9',
    '0778=778 00=0 000=0 1_000=1000 1_=1 1__0=10 -_1=-1 +_1=1 -1_000=-1000 +1=1 -1=-1 1=1 10=10 1e3=1000 1E3=1000 1e+3=1000 1e-3=0.001 +1e3=1000',
    '-1e3=-1000 1e_3=1000 1e3_=1000 1_0e3=10000 1.5=1.5 1.=1 .5=0.5 +.5=0.5 -.5=-0.5 1_0.5=10.5 1.5_0=1.5 1._5=1.5 1.e3=1000 .5e3=500 1.0=1',
    '-0.0=-0 1.50=1.5 01.5=1.5 00.5=0.5 9007199254740991=9007199254740991 9007199254740992=9007199254740992',
    '100000000000000000000=100000000000000000000 1e-400=0 0.1e-400=0 123456789.123456789123=123456789.12345679 0.1=0.1',
    '1.7976931348623157e308=1.7976931348623157e+308 0b-1=-1 0b+1=1 0_x1F=31 0_b1=1 1_000.5_5=1000.55 1__=1 0.0_=0 0_.5=0.5 0_1.5=1.5 0_8=8',
    '0_9.5=9.5 0e0=0 0e3=0 -0e3=-0 1e-5=0.00001 1e21=1e+21 1e20=100000000000000000000 123e5=12300000 0x1e3=483 0x0=0 -0x0=0 0b0=0 -0b0=0 0o00=0',
    '-00=0 -0_0=0',
  );

  const OTHERS: readonly (readonly [string, unknown])[] = [
    ['yes', true],
    ['Yes', true],
    ['YES', true],
    ['no', false],
    ['No', false],
    ['NO', false],
    ['on', true],
    ['On', true],
    ['ON', true],
    ['off', false],
    ['Off', false],
    ['OFF', false],
    ['y', true],
    ['Y', true],
    ['n', false],
    ['N', false],
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
    ['~', null],
    ['null', null],
    ['Null', null],
    ['NULL', null],
    ['!!bool yes', true],
    ['!!null ~', null],
    ['!!str 1', '1'],
    ['!!str 0o17', '0o17'],
    ['!!str ~', '~'],
    ['!foo 1', '1'],
    ["'0_'", '0_'],
    ['"0o17"', '0o17'],
    ['!!str', ''],
    ['!!null', null],
    ['"yes"', 'yes'],
    ['!!int 3', 3],
    ["!!int '3'", 3],
    ['!!int 0o17', 15],
    ['!!int 0_', 0],
    ['!!float 1', 1],
    ['!!float 0o17', 15],
    ['!!float 1_0', 10],
    ['1_000 ', 1000],
  ];

  /** Refused there, too. */
  const REFUSED = [
    '.inf',
    '.Inf',
    '.INF',
    '+.inf',
    '-.inf',
    '+.Inf',
    '-.INF',
    '.nan',
    '.NaN',
    '.NAN',
    '!!int',
    '!!float',
    '!!int 1e3',
    '!!int 1.0',
    '!!int 1.5',
    '!!int x',
    '!!int 0x_',
    '!!float .inf',
    '!!float x',
    '!!bool 1',
    '!!bool x',
    '!!null x',
    '!!timestamp x',
    '!!bool',
  ];

  /** Integers of 64 bits that a double would round. */
  const WHOLE = [
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9_007_199_254_740_993', 9007199254740993n],
    ['0x7fffffffffffffff', 9223372036854775807n],
    ['0o777777777777777777777', 9223372036854775807n],
    ['!!int 9223372036854775807', 9223372036854775807n],
    ['0777777777777777777777', 9223372036854775807n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ] as const;

  /**
   * Numbers there, or texts beyond a double. Neither a double nor 64 bits with a sign hold them, so they are refused
   * here.
   */
  const INEXACT = [
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551615',
    '18446744073709551616',
    '1e400',
    '-1e400',
    '0xFFFFFFFFFFFFFFFF',
    '0b1111111111111111111111111111111111111111111111111111111111111111',
    '0777777777777777777777777',
    '1e999',
  ];

  it('is a text if it is no number of any form', () => {
    for (const text of TEXTS) expect(read(text), text).to.equal(text);
  });

  it('is a number in every form that has one', () => {
    for (const row of NUMBERS) {
      const at = row.lastIndexOf('=');
      expect(read(row.slice(0, at)), row).to.equal(Number(row.slice(at + 1)));
    }
  });

  it('is a bigint if a double would round the integer', () => {
    for (const [text, value] of WHOLE) expect(read(text), text).to.equal(value);
  });

  it('is a boolean or null, or what its tag says', () => {
    for (const [text, value] of OTHERS) expect(read(text), text).to.equal(value);
  });

  it('is refused if JSON has no form for it, or if it is not what its tag says', () => {
    for (const text of REFUSED) expect(read(text), text).to.match(/has no JSON form|cannot be read as/);
  });

  it('is refused, as it was written, if the number cannot be stored', () => {
    for (const text of INEXACT) expect(read(text), text).to.include(`the number ${text} would be changed`);
  });
});
