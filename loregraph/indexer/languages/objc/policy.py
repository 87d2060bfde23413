"""Objective-C's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import CALL_NEW, Calls, Construction, Members, Modules, Policy, Scopes, Types

_FOUNDATION = (
    "NSArray NSAssert NSAttributedString NSBundle NSByteCountFormatter NSCache NSCharacterSet NSCoder NSCondition "
    "NSCountedSet NSData NSDate NSDateFormatter NSDictionary NSError NSException NSFileHandle NSFileManager "
    "NSHTTPURLResponse NSHashTable NSIndexPath NSIndexSet NSInputStream NSInvocation NSInvocationOperation "
    "NSJSONSerialization NSKeyedArchiver NSKeyedUnarchiver NSLocale NSLocalizedString NSLock NSLog NSMapTable "
    "NSMakeRange NSMethodSignature NSMutableArray NSMutableData NSMutableDictionary NSMutableSet NSMutableString "
    "NSMutableURLRequest NSNotification NSNotificationCenter NSNull NSNumber NSNumberFormatter NSObject NSOperation "
    "NSOperationQueue NSOrderedSet NSOutputStream NSParameterAssert NSPredicate NSProcessInfo NSProgress "
    "NSPropertyListSerialization NSProxy NSRecursiveLock NSRegularExpression NSRunLoop NSScanner NSSet NSStream "
    "NSString NSStringFromClass NSStringFromSelector NSClassFromString NSSelectorFromString NSThread NSTimeZone "
    "NSTimer NSURL NSURLCache NSURLComponents NSURLConnection NSURLCredential NSURLProtectionSpace NSURLProtocol "
    "NSURLQueryItem NSURLRequest NSURLResponse NSURLSession NSURLSessionConfiguration NSURLSessionDataTask "
    "NSURLSessionDownloadTask NSURLSessionTask NSURLSessionTaskMetrics NSURLSessionUploadTask NSUUID NSUserDefaults "
    "NSValue NSXMLDocument NSXMLParser"
).split()
_DISPATCH = (
    "dispatch_after dispatch_apply dispatch_async dispatch_barrier_async dispatch_barrier_sync dispatch_group_async "
    "dispatch_group_notify dispatch_once dispatch_sync dispatch_get_main_queue dispatch_get_global_queue "
    "dispatch_queue_create dispatch_group_enter dispatch_group_leave dispatch_group_create dispatch_semaphore_create "
    "dispatch_semaphore_signal dispatch_semaphore_wait"
).split()

POLICY: Final = Policy(
    language="objc",
    family="c",
    modules=Modules(style="include", include_scope=True),
    scopes=Scopes(
        members_in_scope=True,
        default_externals={**dict.fromkeys(_FOUNDATION, "Foundation"), **dict.fromkeys(_DISPATCH, "dispatch")},
    ),
    members=Members(literal_members=True, class_member="class"),
    construction=Construction(instantiation=CALL_NEW, constructors=()),
    calls=Calls(
        dispatch_self=True,
        callbacks={
            **{f"dispatch.{name}": (1,) for name in ("dispatch_async", "dispatch_sync", "dispatch_once")},
            **{f"dispatch.dispatch_barrier_{name}": (1,) for name in ("async", "sync")},
            **{f"dispatch.{name}": (2,) for name in ("dispatch_after", "dispatch_group_async", "dispatch_apply")},
            "dispatch.dispatch_group_notify": (2,),
        },
    ),
    types=Types(
        static_types=True,
        self_types=frozenset({"instancetype"}),
        type_containers=frozenset(
            {"[]", "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSDictionary", "NSOrderedSet"}
        ),
    ),
)
POLICIES: Final = {"objc": POLICY}
"""Objective-C."""
