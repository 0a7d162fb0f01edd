/**
 * Programs that fetch an address to show a preview card or to index it, although nobody requested the file. Each entry
 * is a part of a `User-Agent`, in lower case, that no browser has. Keep the list sorted. A new entry needs nothing
 * else.
 */
const robots: readonly string[] = [
  'applebot',
  'bingbot',
  'bingpreview',
  'bitlybot',
  'cardyb',
  'discordbot',
  'duckduckbot',
  'embedly',
  'facebookcatalog',
  'facebookexternalhit',
  'facebot',
  'flipboardproxy',
  'google-inspectiontool',
  'google-pagerenderer',
  'googlebot',
  'googleimageproxy',
  'iframely',
  'kakaotalk-scrap',
  'line-poker',
  'linkedinbot',
  'mattermost-bot',
  'meta-externalagent',
  'meta-externalfetcher',
  'microsoftpreview',
  'nextcloud server crawler',
  'pinterestbot',
  'qwantify',
  'redditbot',
  'skypeuripreview',
  'slack-imgproxy',
  'slackbot',
  'snap url preview',
  'summalybot',
  'synapse (bot;',
  'telegrambot',
  'twitterbot',
  'urlpreviewbot',
  'vkshare',
  'xing-contenttabreceiver',
  'yahoo link preview',
  'yandexbot',
  'zoombot',
  'zulipurlpreview',
];

/** Names that the robots of these apps share with the browsers in the apps. Those browsers also name their engine. */
const robotsUnlessBrowsers: readonly string[] = ['mastodon/', 'rocket.chat', 'tumblr/', 'whatsapp'];

const browserEngine = /^mozilla\/.*\b(applewebkit|chrome|firefox|gecko|safari)\//;

/** Whether a client is a known link-preview robot. */
export function isLinkPreviewRobot(userAgent: string | null): boolean {
  const name = (userAgent ?? '').toLowerCase();
  const holds = (part: string) => name.includes(part);
  return robots.some(holds) || (robotsUnlessBrowsers.some(holds) && !browserEngine.test(name));
}
