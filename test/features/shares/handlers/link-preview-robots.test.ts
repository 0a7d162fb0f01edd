import { expect, it } from 'vitest';

import { isLinkPreviewRobot } from '#server/features/shares/handlers/link-preview-robots.ts';

it.each([
  'WhatsApp/2.23.20.0',
  'Rocket.Chat/6.4.0 (+https://rocket.chat)',
  'Mozilla/5.0 (compatible; Tumblr/14.0.835.186)',
  'Mozilla/5.0 (compatible; ZulipURLPreview/9.1; +https://chat.invalid)',
  'SummalyBot/5.2.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:102.0) Gecko/20100101 Firefox/102.0 UrlPreviewBot',
  'http.rb/5.1.1 (Mastodon/4.2.1; +https://social.invalid/) Bot',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; ' +
    '+http://www.google.com/bot.html) Chrome/128.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 ' +
    'Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
])('isLinkPreviewRobot() is true for %s', (userAgent) => {
  expect(isLinkPreviewRobot(userAgent)).toBe(true);
});

it.each([
  null,
  '',
  'curl/8.14.1',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Rocket.Chat/4.1.2 ' +
    'Chrome/124.0.6367.243 Electron/30.4.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) WhatsApp/2.2400.6 ' +
    'Chrome/120.0.0.0 Electron/28.1.1 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
    'Gecko) Mobile/15E148 Tumblr/35.0',
  'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0 Mastodon/2.5',
])('isLinkPreviewRobot() is false for %s', (userAgent) => {
  expect(isLinkPreviewRobot(userAgent)).toBe(false);
});
