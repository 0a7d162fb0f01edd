import { s3Meanings, s3Translations } from '#server/features/s3/error-meanings.ts';
import { errorPath } from './addresses.ts';
import { linkTo, type Page } from './page.ts';

const path = 's3-errors';

/** Returns the page of the codes of the S3 gateway, which no contract has. Its error responses link to them. */
export function s3ErrorsPage(): Page {
  const sections = Object.entries(s3Meanings).map(([code, [status, message]]) => {
    const same = Object.entries(s3Translations)
      .filter(([, translated]) => translated === code)
      .map(([name]) => `[\`${name}\`](${linkTo(path, errorPath(name))})`);
    const rest = same.length === 0 ? '' : `\n- **Over REST**: ${same.join(', ')}`;
    return `## ${code}\n\n${message}\n\n- **Status**: ${status}${rest}\n`;
  });
  const markdown = `# Error codes of the S3 gateway

The gateway answers errors in the XML of S3, with these codes. A program reads \`Code\`, and people read \`Message\`, which
may say more than here. Settings of clients: [S3](s3.md). The codes of all other hosts: [error codes](errors.md).

${sections.join('\n')}`;
  return { path, title: 'Error codes of the S3 gateway', markdown };
}
