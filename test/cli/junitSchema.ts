// Validates JUnit XML files, and counts their test cases.
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { type Element, validateXml } from './xmlSchema.js';

const COUNT = 'xs:nonNegativeInteger';
const outcome = (name: string, message: string): Element => [
  `${name}?`,
  { attributes: { message }, text: true },
];
/** The elements and attributes of JUnit files that CI systems agree on, as far as pfront writes them. */
const JUNIT: Element = [
  'testsuites',
  {
    attributes: { name: 'xs:string', tests: COUNT, failures: COUNT, errors: COUNT, time: 'xs:decimal' },
    elements: [
      [
        'testsuite*',
        {
          attributes: { name: 'xs:string', tests: COUNT, failures: COUNT, errors: COUNT, skipped: COUNT },
          elements: [
            [
              'testcase+',
              {
                attributes: { classname: 'xs:string', name: 'xs:string' },
                elements: [
                  outcome('skipped', 'xs:string?'),
                  outcome('error', 'xs:string'),
                  outcome('failure', 'xs:string'),
                ],
              },
            ],
          ],
        },
      ],
    ],
  },
];

/** Validates a file, and returns its text and its counts. */
export function readJUnit(path: string) {
  const text = readFileSync(path, 'utf8');
  validateXml(text, JUNIT);
  const counted = (element: string): number => text.split(new RegExp(`<${element}[ >]`)).length - 1;
  const [, tests, failures, wrong] = /<testsuites [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(
    text,
  )!;
  assert.equal([tests, failures, wrong].map(Number), [
    counted('testcase'),
    counted('failure'),
    counted('error'),
  ]);
  return {
    text,
    counts: {
      failures: Number(failures),
      errors: Number(wrong),
      skipped: counted('skipped'),
      tests: Number(tests),
    },
  };
}
