// Regular files, read whole; see files.py. Everything but a plain success is left to it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
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
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rouge {

// The file's bytes, in a buffer that grows and is not cleared; false if they cannot be read here.
//
// largest: larger files are not read.
inline bool whole_file(const char* path, std::vector<char>& buffer, std::string_view& data,
                       std::size_t largest = ~std::size_t(0)) {
#ifdef _WIN32
    (void)path, (void)buffer, (void)data, (void)largest;
    return false;
#else
    // Streams that can be read only once, and may block, are left to Python, which can be interrupted.
    struct stat about;
    if (::stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    if (static_cast<std::size_t>(about.st_size) > largest) return false;
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    std::size_t size = 0;
    for (;;) {
        if (size == buffer.size()) buffer.resize(std::max<std::size_t>(1 << 16, size * 2));
        const ::ssize_t got = ::read(file, buffer.data() + size, buffer.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            ::close(file);
            data = std::string_view(buffer.data(), size);
            return got == 0;
        }
        size += static_cast<std::size_t>(got);
        if (size == static_cast<std::size_t>(about.st_size)) {  // the end, by the size from before
            ::close(file);
            data = std::string_view(buffer.data(), size);
            return true;
        }
    }
#endif
}

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
    explicit ReadAhead(std::vector<std::string> paths) {
#ifdef _WIN32
        (void)paths;  // files are never read here
#else
        if (paths.size() < FEWEST || paths.size() > MOST || std::thread::hardware_concurrency() < 2) return;
        auto shared = std::make_shared<Shared>();
        shared->files.resize(paths.size());
        for (std::size_t place = 0; place < paths.size(); ++place) shared->places.emplace(paths[place], place);
        shared->paths = std::move(paths);
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

    // Paths and places do not change once the thread runs; the mutex guards everything else.
    struct Shared {
        std::mutex mutex;
        std::condition_variable wake;
        std::vector<std::string> paths;
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
                if (!whole_file(shared->paths[place].c_str(), buffer, data, LARGEST)) continue;
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
