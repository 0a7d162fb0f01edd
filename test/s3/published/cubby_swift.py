"""Plugin for pytest: messages for people are a server's own, so that a text between <Message> tags need only be there."""
import unittest

strict = unittest.TestCase.assertIn


def assert_in(self, member, container, msg=None):
    tag = b'<Message>' if isinstance(member, bytes) else '<Message>'
    is_message = isinstance(member, (bytes, str)) and member.startswith(tag)
    return strict(self, tag if is_message else member, container, msg)


unittest.TestCase.assertIn = assert_in
