// Regular files, read whole; see files.py. Everything but a plain success is left to it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "tokens.hpp"

namespace rouge {

// The cores that this process may use, which are fewer than the machine's where it is pinned (taskset, batch systems).
inline std::size_t usable_cores() {
#ifdef __linux__
    ::cpu_set_t cores;
    if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<std::size_t>(CPU_COUNT(&cores));
#endif
    return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

#ifndef _WIN32
constexpr int TO_READ = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

// Reads an open file to its end and closes it. known: its size; 0 if that is not known. `pread` fails if the file was replaced
// by a pipe or socket in the meantime, without taking anything out of it.
inline bool read_and_close(int file, std::vector<char>& buffer, std::string_view& data, std::size_t largest, std::size_t known = 0) {
    std::size_t size = 0;
    ::ssize_t got = file < 0 ? -1 : 1;
    while (got > 0 && size <= largest && (size == 0 || size != known)) {
        if (size == buffer.size()) buffer.resize(std::max<std::size_t>({1 << 16, size * 2, known}));
        do got = ::pread(file, buffer.data() + size, buffer.size() - size, static_cast<::off_t>(size));
        while (got < 0 && errno == EINTR);
        size += static_cast<std::size_t>(std::max<::ssize_t>(got, 0));
    }
    if (file >= 0) ::close(file);
    data = std::string_view(buffer.data(), size);
    return got >= 0 && size <= largest;
}
#endif

// The file's bytes, in a buffer that grows and is not cleared; false if they cannot be read here.
//
// largest: larger files are not read.
inline bool whole_file(const char* path, std::vector<char>& buffer, std::string_view& data,
                       std::size_t largest = ~std::size_t(0)) {
#ifdef _WIN32
    (void)path, (void)buffer, (void)data, (void)largest;
    return false;
#else
    // Streams that can be read only once, and may block, are left to Python, which can be interrupted. Not even opened: who
    // writes to one would take this for its reader.
    struct stat about;
    if (::stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    const std::size_t size = static_cast<std::size_t>(about.st_size);
    return size <= largest && read_and_close(::open(path, TO_READ), buffer, data, largest, size);
#endif
}

// The folders of many small files. They are listed, which takes less time than to ask for each file whether it is a regular
// one, and stay open, so that the way to each file is short.
class Folders {
public:
    // paths: of the files that will be read.
    explicit Folders(const std::vector<std::string_view>& paths) {
#ifndef DT_REG  // Windows, and systems whose listings do not tell regular files
        (void)paths;
#else
        struct rlimit open;
        if (::getrlimit(RLIMIT_NOFILE, &open) != 0 || open.rlim_cur < FEWEST_OPEN) return;
        std::map<std::string_view, std::size_t> wanted;
        for (std::string_view path : paths) ++wanted[of(path)];
        for (const auto& [path, files] : wanted) {
            if (files < FEWEST || path.empty() || folders_.size() == MOST) continue;
            Listing listing(::opendir(std::string(path).c_str()), ::closedir);
            if (listing == nullptr) continue;
            Known names;
            for (std::size_t left = files * 2; left > 0; --left) {  // of a large folder, some may be missed
                const struct dirent* const entry = ::readdir(listing.get());
                if (entry == nullptr) break;
                if (entry->d_type == DT_REG) names.add(token_of(entry->d_name), 0);
            }
            folders_.push_back({std::string(path), std::move(listing), std::move(names)});
        }
#endif
    }

    // As `whole_file`.
    bool read(const std::string& path, std::vector<char>& buffer, std::string_view& data, std::size_t largest = ~std::size_t(0)) const {
#ifndef _WIN32
        for (const Folder& folder : folders_) {
            if (of(path) != folder.path) continue;
            const char* const name = path.c_str() + folder.path.size();
            if (folder.names.find(token_of(name)) == Known::UNKNOWN) break;
            return read_and_close(::openat(::dirfd(folder.listing.get()), name, TO_READ), buffer, data, largest);
        }
#endif
        return whole_file(path.c_str(), buffer, data, largest);
    }

private:
#ifndef _WIN32
    static constexpr std::size_t FEWEST = 64, MOST = 16;
    static constexpr ::rlim_t FEWEST_OPEN = 64;  // files: where fewer may be open, all are for reading
    using Listing = std::unique_ptr<DIR, int (*)(DIR*)>;

    struct Folder {
        std::string path;  // with the slash at its end
        Listing listing;
        Known names;  // of regular files
    };

    static std::string_view of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

    std::vector<Folder> folders_;
#endif
};

// Small files read ahead of their use by a separate thread: opening thousands of them takes as long as counting
// their contents. The callers never wait for it: a file that is not ready is read by its user. The thread
// uses no Python object, and owns what it shares.
class ReadAhead {
public:
    // Fewer files do not justify a thread, and the paths of more files would take much memory.
    static constexpr std::size_t FEWEST = 64, MOST = 100000;
    // The number of files held at most, half of which are used before more are read, and the size of the largest.
    static constexpr std::size_t WINDOW = 256, LARGEST = 1 << 16;

    // paths: approximately in the order of their use; each once.
    ReadAhead(std::vector<std::string> paths, std::shared_ptr<const Folders> folders) {
#ifdef _WIN32
        (void)paths, (void)folders;  // files are never read here
#else
        if (paths.size() < FEWEST || paths.size() > MOST || usable_cores() < 2) return;
        auto shared = std::make_shared<Shared>();
        shared->files.resize(paths.size());
        for (std::size_t place = 0; place < paths.size(); ++place) shared->places.emplace(paths[place], place);
        shared->paths = std::move(paths);
        shared->folders = std::move(folders);
        try {
            std::thread(read, shared).detach();
        } catch (const std::system_error&) {
            return;  // no thread is available: files are read by their users
        }
        shared_ = shared;
#endif
    }

    ~ReadAhead() {
        if (shared_ == nullptr) return;
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        shared_->stopped = true;
        shared_->wake.notify_one();
    }

    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    // The file's bytes, at its first use, if they have been read by now.
    bool take(const std::string& path, std::vector<char>& data) {
        if (shared_ == nullptr) return false;
        const auto entry = shared_->places.find(path);
        if (entry == shared_->places.end()) return false;
        File& file = shared_->files[entry->second];
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        file.wanted = true;
        if (!file.ready) return false;
        data = std::move(file.bytes);
        file.bytes = std::vector<char>();
        file.ready = false;
        // Not for each file: waking the thread takes as long as reading a small file.
        if (--shared_->held == WINDOW / 2) shared_->wake.notify_one();
        return true;
    }

private:
    struct File {
        std::vector<char> bytes;
        bool ready = false, wanted = false;
    };

    // Paths, folders and places do not change once the thread runs; the mutex guards everything else.
    struct Shared {
        std::mutex mutex;
        std::condition_variable wake;
        std::vector<std::string> paths;
        std::shared_ptr<const Folders> folders;
        std::unordered_map<std::string, std::size_t> places;
        std::vector<File> files;
        std::size_t held = 0;
        bool stopped = false;
    };

    static void read(std::shared_ptr<Shared> shared) {
        try {
            std::vector<char> buffer;
            for (std::size_t place = 0; place < shared->paths.size(); ++place) {
                File& file = shared->files[place];
                {
                    std::unique_lock<std::mutex> lock(shared->mutex);
                    shared->wake.wait(lock, [&] { return shared->stopped || shared->held < WINDOW; });
                    if (shared->stopped) return;
                    if (file.wanted) continue;
                }
                std::string_view data;
                if (!shared->folders->read(shared->paths[place], buffer, data, LARGEST)) continue;
                std::vector<char> bytes(data.begin(), data.end());
                const std::lock_guard<std::mutex> lock(shared->mutex);
                if (file.wanted) continue;
                file.bytes = std::move(bytes);
                file.ready = true;
                ++shared->held;
            }
        } catch (const std::exception&) {
            return;  // out of memory: no caller waits
        }
    }

    std::shared_ptr<Shared> shared_;
};

}  // namespace rouge
